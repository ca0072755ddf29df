import { isRecord } from '../../../lib/json.js';
import {
  activeProbe,
  choiceWithOtherFields,
  NoMatchingChoice,
  type Probe,
  passiveProbe,
} from '../../calibrate/probe.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, isSuccess, requireSuccess, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { JsonObject } from '../../engine/json.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { isAccepted, tryCreateDeposit } from '../attempts.js';
import { statusAfter } from '../deposit-lifecycle/setups.js';
import { dateInDays } from '../invoice-creation/setups.js';
import { statistics } from '../statistics/setups.js';
import {
  creationFields,
  depositFields,
  depositRecordIn,
  depositTimestamps,
  filteredDeposits,
  newDeposit,
  newDepositDetails,
} from './setups.js';

/** Tries to create deposits that each lack one field; returns the responses, keyed by the missing field. */
const responsesToOmittedField = setup('deposits that each lack one field', async (context) => {
  const responses = new Map<string, Exchange>();
  for (const field of creationFields) {
    responses.set(field, await tryCreateDeposit(context, { [field]: undefined }));
  }
  return responses;
});

/**
 * Named choices of the `deposit.required` gap, and the fields that each requires. `all` does not require `metadata`,
 * because a deposit may have none.
 */
const requirements = [
  ['reference-and-amount', 'booking_reference, amount'],
  ['all', creationFields.filter((field) => field !== 'metadata').join(', ')],
  ['amount', 'amount'],
] as const;

/** Choices of the `deposit.id` gap, each with the pattern of its ids. */
const idFormats = [
  ['integer', /^\d+$/],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i],
  ['prefixed', /^dep_[\da-z]+$/i],
] as const;

/**
 * Tries to create a deposit, and returns the amount in the response: undefined if the deposit is refused, NaN if the
 * response shows no amount.
 */
async function createDepositAndReadAmount(context: ClauseContext, amount: number): Promise<number | undefined> {
  const exchange = await tryCreateDeposit(context, { amount });
  return isAccepted(exchange) ? (decimalOf(depositRecordIn(exchange)['amount']) ?? Number.NaN) : undefined;
}

/**
 * Finds out which fields of deposits the target shows, in the order of `depositFields`. Some timestamps are set later, so it
 * looks for those in authorized and released deposits as well.
 * @throws Skip if new deposits lack a timestamp, and no deposit with a status in which it is set was found
 */
async function findShownFields(context: ClauseContext): Promise<(typeof depositFields)[number][]> {
  const pendingRecord = depositRecordIn(requireSuccess(await context.use(newDepositDetails)));
  const { records } = await filteredDeposits(context, {});
  const observedDeposits = await Promise.all([
    ifPossible(context.use(statusAfter.authorized)),
    ifPossible(context.use(statusAfter.released)),
  ]);
  const otherRecords: readonly JsonObject[] = [
    ...records,
    // If a record lacks its status, the `status` filter has shown it.
    ...observedDeposits.flatMap((observed) => (observed ? [{ ...observed.record, status: observed.status }] : [])),
  ];
  for (const timestamp of depositTimestamps) {
    const statuses = timestamp === 'released_at' ? ['released'] : authorizedStatuses;
    if (
      timestamp in pendingRecord ||
      otherRecords.some(({ status }) => statuses.some((expected) => expected === status))
    ) {
      continue;
    }
    throw new Skip({
      missing: `a deposit that is ${statuses[0]}`,
      reason: `without one, \`${timestamp}\` cannot be observed`,
    });
  }
  return depositFields.filter(
    (field) => field in pendingRecord || (isTimestampField(field) && otherRecords.some((record) => field in record)),
  );
}

/** Statuses of a deposit that has been authorized. */
const authorizedStatuses = ['authorized', 'partially_captured', 'captured', 'released'];

function isTimestampField(field: string): boolean {
  return depositTimestamps.some((timestamp) => timestamp === field);
}

/** Returns how a response represents a field without a value, or the value if the field has one. */
function representationOf(value: unknown): unknown {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (value === '') return 'empty-text';
  return isRecord(value) && Object.keys(value).length === 0 ? 'empty-object' : value;
}

/**
 * Returns the representation that was observed, if it is the only one and among the choices; otherwise undefined. If
 * none was observed, any choice fits, so it returns the first.
 * @param observed may contain undefined, for a field that could not be observed
 */
function onlyRepresentation<Representation extends string>(
  observed: ReadonlySet<unknown>,
  ...choices: readonly [Representation, ...Representation[]]
): Representation | undefined {
  const [representation, ...others] = [...observed].filter((value) => value !== undefined);
  if (others.length > 0) return undefined;
  return representation === undefined ? choices[0] : choices.find((choice) => choice === representation);
}

/**
 * Probes for the gaps about deposit fields, in requests and responses. Active probes send requests of their own;
 * passive ones only read responses to requests that clauses send anyway.
 */
export const depositProbes: readonly Probe[] = [
  activeProbe({
    gap: 'deposit.required',
    findChoice: async (context) => {
      const responses = await context.use(responsesToOmittedField);
      const required = [...responses].flatMap(([field, response]) => (isAccepted(response) ? [] : [field]));
      const named = requirements.find(([, names]) => names === required.join(', '));
      if (named) return named[0];
      const fields = creationFields.filter((field) => required.includes(field));
      // Every choice for this gap requires the amount.
      return required.includes('amount') ? { fields } : new NoMatchingChoice(required);
    },
  }),
  activeProbe({
    gap: 'deposit.currency',
    evidenceFields: ['currency'],
    findChoice: async (context) => {
      const response = (await context.use(responsesToOmittedField)).get('currency');
      if (!response || !isSuccess(response))
        throw new Skip({ missing: 'a deposit without a currency', reason: 'the target refuses it' });
      const accountCurrency = valueAt(requireSuccess(await context.use(statistics)).json, 'data.currency');
      if (accountCurrency === 'EUR') {
        throw new Skip({
          missing: 'an account whose currency is not EUR',
          reason: 'the currency of this account is EUR',
        });
      }
      const currency = depositRecordIn(response)['currency'];
      if (currency === undefined) throw new Blocked('the deposit does not show its `currency`', response);
      if (currency === 'EUR') return 'eur';
      return currency === accountCurrency ? 'account' : new NoMatchingChoice(currency);
    },
  }),
  activeProbe({
    gap: 'deposit.amount-range',
    evidenceFields: ['amount'],
    findChoice: async (context) => {
      const amountForZero = await createDepositAndReadAmount(context, 0);
      const amountForThreeDecimals = await createDepositAndReadAmount(context, 1.005);
      if (amountForZero === undefined && amountForThreeDecimals === undefined) return 'refused';
      if (amountForZero === undefined && Number.isNaN(amountForThreeDecimals))
        throw new Skip({ missing: 'the amount', reason: '1.005 is accepted, but deposits do not show the amount' });
      return amountForZero === undefined && amountForThreeDecimals === 1.01
        ? 'rounded'
        : new NoMatchingChoice([amountForZero ?? 'refused', amountForThreeDecimals ?? 'refused']);
    },
  }),
  activeProbe({
    gap: 'deposit.dates',
    evidenceFields: ['check_in_date', 'check_out_date'],
    findChoice: async (context) =>
      isAccepted(await tryCreateDeposit(context, { check_in_date: dateInDays(17), check_out_date: dateInDays(14) }))
        ? 'accepted'
        : 'refused',
  }),
  activeProbe({
    gap: 'deposit.customer-email',
    evidenceFields: ['customer'],
    findChoice: async (context) =>
      isAccepted(await tryCreateDeposit(context, { customer: { name: 'Ada Lovelace', email: 'ada' } }))
        ? 'accepted'
        : 'refused',
  }),
  passiveProbe({
    gap: 'deposit.id',
    evidenceFields: ['id'],
    findChoice: async (context) => {
      const { id } = await context.use(newDeposit);
      const [format] = idFormats.find(([, pattern]) => pattern.test(String(id))) ?? [];
      const isString = typeof id === 'string';
      // An integer must be a JSON number; the other formats are strings.
      return format === undefined || (format === 'integer') === isString ? new NoMatchingChoice(id) : format;
    },
  }),
  activeProbe({
    gap: 'deposit.unset-fields',
    findChoice: async (context) => {
      const shownFields = new Set<string>(await findShownFields(context));
      const responses = await context.use(responsesToOmittedField);
      const representationOfOmitted = (field: string): unknown => {
        const response = responses.get(field);
        // For required fields, and for fields that are never shown, nothing can be observed.
        return shownFields.has(field) && response && isAccepted(response)
          ? representationOf(depositRecordIn(response)[field])
          : undefined;
      };
      const pending = depositRecordIn(requireSuccess(await context.use(newDepositDetails)));
      const representations = {
        customer: new Set([representationOfOmitted('customer')]),
        dates: new Set([representationOfOmitted('check_in_date'), representationOfOmitted('check_out_date')]),
        metadata: new Set([representationOfOmitted('metadata')]),
        // `moments` is the name that profiles use for the timestamps.
        moments: new Set(
          depositTimestamps.map((name) => (shownFields.has(name) ? representationOf(pending[name]) : undefined)),
        ),
      };
      const customer = onlyRepresentation(representations.customer, 'null', 'absent');
      const dates = onlyRepresentation(representations.dates, 'null', 'absent', 'empty-text');
      const metadata = onlyRepresentation(representations.metadata, 'empty-object', 'null', 'absent');
      const moments = onlyRepresentation(representations.moments, 'null', 'absent');
      if (!customer || !dates || !metadata || !moments) {
        return new NoMatchingChoice(
          Object.fromEntries(Object.entries(representations).map(([name, observed]) => [name, [...observed]])),
        );
      }
      const areNulls =
        [customer, dates, moments].every((representation) => representation === 'null') && metadata === 'empty-object';
      return areNulls ? 'nulls' : { each: { customer, dates, metadata, moments } };
    },
  }),
  activeProbe({
    gap: 'deposit.fields',
    findChoice: async (context) => {
      const names = await findShownFields(context);
      const { record } = await context.use(newDeposit);
      // The response to a new deposit cannot show timestamps that are set later.
      const namesAtCreation = names.filter((field) => field in record || isTimestampField(field));
      if (namesAtCreation.length < names.length) {
        return new NoMatchingChoice(
          `${names.join(', ')}, but only ${namesAtCreation.join(', ')} in the response to a new deposit`,
        );
      }
      if (!names.includes('id')) return new NoMatchingChoice(names);
      const detail = depositRecordIn(await context.use(newDepositDetails));
      const otherFields = Object.keys({ ...record, ...detail }).filter(
        (name) => !depositFields.some((field) => field === name),
      );
      return choiceWithOtherFields(names.length === depositFields.length ? 'all' : { fields: names }, otherFields);
    },
  }),
];
