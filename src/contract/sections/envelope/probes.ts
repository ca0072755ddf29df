import { isRecord } from '../../../lib/json.js';
import { activeProbe, ChoiceWithRemark, NoMatchingChoice, type Probe, passiveProbe } from '../../calibrate/probe.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import type { Exchange } from '../../engine/exchange.js';
import { isClientError, isSuccess, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { isAccepted, noMatchingChoiceFor, tryCreateInvoiceWithItem, tryCreateLink } from '../attempts.js';
import { requireRecord } from '../created-records.js';
import { steps } from '../deposit-lifecycle/setups.js';
import { depositCreation, depositPath, nonexistentDeposit } from '../deposits/setups.js';
import { recordOf } from '../fields.js';
import { createdInvoice, minimalInvoice } from '../invoice-creation/setups.js';
import { nonexistentInteger } from '../nonexistent-id.js';
import { linkWithoutDescription } from '../payment-links/invalid-links.js';
import { linkCreation, newLink } from '../payment-links/setups.js';
import { listedPayments } from '../payments/setups.js';
import { reminderForUnpaidInvoice } from '../reminders/clauses.js';

/**
 * Returns the choice that is named after the status of the successful responses, such as `201`, or NoMatchingChoice if
 * their statuses differ or no choice has that name.
 * @throws Blocked if no response is a success
 */
function choiceByStatusOfSuccesses<Name extends string>(
  exchanges: readonly (Exchange | undefined)[],
  ...names: readonly Name[]
): Name | NoMatchingChoice {
  const statuses = new Set(exchanges.flatMap((exchange) => (exchange && isSuccess(exchange) ? [exchange.status] : [])));
  const [status, ...others] = statuses;
  if (status === undefined) throw new Blocked('none of the requests succeeded');
  if (others.length > 0) return new NoMatchingChoice([...statuses]);
  return names.find((name) => name === String(status)) ?? new NoMatchingChoice(status);
}

/**
 * Probes for the gaps about response formats. Active probes send requests of their own; passive ones only use
 * setups that clauses use anyway.
 */
export const responseFormatProbes: readonly Probe[] = [
  passiveProbe({
    gap: 'decimal.encoding',
    evidenceFields: ['amount'],
    findChoice: async (context) => {
      const { record } = await context.use(newLink);
      const amount = record['amount'];
      if (typeof amount === 'number') return 'number';
      return /^-?\d+\.\d{2}$/.test(String(amount)) ? 'string' : new NoMatchingChoice(amount);
    },
  }),
  passiveProbe({
    gap: 'null.optional',
    evidenceFields: ['reference'],
    findChoice: async (context) => {
      const [full, minimal] = [await context.use(createdInvoice), await context.use(minimalInvoice)];
      if (!('reference' in full.record))
        throw new Blocked('the response to the creation shows no `reference`', full.exchange);
      const { reference } = minimal.record;
      if (reference === null) return 'null';
      if (reference === '') return 'empty';
      return reference === undefined ? 'absent' : new NoMatchingChoice(reference);
    },
  }),
  passiveProbe({
    gap: 'payment.paid-at-unpaid',
    evidenceFields: ['paid_at'],
    findChoice: async (context) => {
      const payments = await context.use(listedPayments);
      const unpaid = payments.map(recordOf).filter(isUnpaid);
      if (unpaid.length === 0) throw new Skip({ missing: 'a payment that is not paid', reason: 'none is listed' });
      const shown = new Set(unpaid.map((record) => valueAt(record, 'paid_at')));
      const [value, ...others] = shown;
      if (others.length > 0) return new NoMatchingChoice([...shown]);
      if (value === null) return 'null';
      return value === undefined ? 'absent' : new NoMatchingChoice(value);
    },
  }),
  passiveProbe({
    gap: 'status.created',
    findChoice: async (context) => {
      const link = await context.use(linkCreation);
      const deposit = await context.use(depositCreation);
      return choiceByStatusOfSuccesses([link.exchange, deposit.exchange], '201', '200');
    },
  }),
  passiveProbe({
    gap: 'status.acted',
    findChoice: async (context) => {
      // The driver may be unable to authorize deposits; then only the reminder is observed.
      const actions = [steps.capturedInFull, steps.released];
      const exchanges = [await context.use(reminderForUnpaidInvoice)];
      for (const action of actions) {
        const exchange = (await ifPossible(context.use(action)))?.exchange;
        if (exchange) exchanges.push(exchange);
      }
      return choiceByStatusOfSuccesses(exchanges, '200', '201', '202');
    },
  }),
];

function isUnpaid(record: unknown): boolean {
  return ['open', 'pending', 'failed'].some((status) => status === valueAt(record, 'status'));
}

/**
 * Tries to create a link without the required description.
 * @throws Blocked unless it is refused, and a valid link is not
 */
const invalidBodyError = setup('the error for an invalid body', async (context): Promise<Exchange> => {
  const { exchange } = await context.use(linkWithoutDescription);
  if (!isClientError(exchange)) throw new Blocked('a link without a description is not refused', exchange);
  await context.use(newLink);
  return exchange;
});

function errorOf({ json }: Exchange): unknown {
  return valueAt(json, 'error');
}

function errorsOf({ json }: Exchange): Readonly<Record<string, unknown>> | undefined {
  const errors = valueAt(json, 'errors');
  return isRecord(errors) ? errors : undefined;
}

/** Returns the choice whose name is the status of a response, such as `404`; NoMatchingChoice if there is none. */
function choiceByStatus<Status extends string>(
  exchange: Exchange,
  ...statuses: readonly Status[]
): Status | NoMatchingChoice {
  return statuses.find((name) => name === String(exchange.status)) ?? noMatchingChoiceFor(exchange);
}

/** Choices of the `validation.messages` gap, each with the pattern of its messages about a missing string. */
const wordings = [
  ['laravel', /^The description field is required\./],
  ['json-schema', /^must (have required property|NOT have fewer than)/],
] as const;

/** Posts text as the body of a request to create a link. @param type content type */
function postLinkText(context: ClauseContext, text: string, type: string): Promise<Exchange> {
  return context.post('/payment-links', text, { headers: { 'Content-Type': type } });
}

/** Probes for the gaps about errors for invalid requests and their messages. */
export const validationProbes: readonly Probe[] = [
  passiveProbe({
    gap: 'validation.status',
    findChoice: async (context) => {
      const exchange = await context.use(invalidBodyError);
      const status = choiceByStatus(exchange, '422', '400');
      if (status instanceof NoMatchingChoice) return status;
      const errors = errorsOf(exchange);
      if (!errors) return `${status}-without-errors` as const;
      const error = errorOf(exchange);
      const [firstMessage] = Object.values(errors).flat();
      // A count of further messages may follow the first one.
      if (typeof firstMessage !== 'string') return status;
      if (typeof error === 'string' && error.startsWith(firstMessage)) return status;
      const observed = error === undefined ? 'is missing' : `is ${JSON.stringify(error)}`;
      return new ChoiceWithRemark(status, `but \`error\` ${observed}, which no choice of the gap includes`);
    },
  }),
  passiveProbe({
    gap: 'validation.messages',
    findChoice: async (context) => {
      const exchange = await context.use(invalidBodyError);
      const message = String([errorsOf(exchange)?.['description'] ?? errorOf(exchange)].flat()[0]);
      return wordings.find(([, pattern]) => pattern.test(message))?.[0] ?? new NoMatchingChoice(message);
    },
  }),
  activeProbe({
    gap: 'validation.nested-keys',
    findChoice: async (context) => {
      const exchange = await tryCreateInvoiceWithItem(context, { quantity: undefined });
      if (isAccepted(exchange)) throw new Blocked('an item without a quantity is not refused', exchange);
      const errors = errorsOf(exchange);
      if (!errors) throw new Skip({ missing: '`errors`', reason: 'errors do not name fields' });
      if ('items.0.quantity' in errors) return 'dots';
      return 'items[0].quantity' in errors ? 'brackets' : new NoMatchingChoice(Object.keys(errors));
    },
  }),
  activeProbe({
    gap: 'validation.unknown-fields',
    evidenceFields: ['contract_suite'],
    findChoice: async (context) =>
      isAccepted(await tryCreateLink(context, { contract_suite: 'unknown' })) ? 'ignored' : 'refused',
  }),
  activeProbe({
    gap: 'validation.null-optional',
    evidenceFields: ['currency'],
    // `omitted`: null counts as an omitted field.
    // Tests a link, because the specification does not say which fields of a deposit are optional.
    findChoice: async (context) => {
      const exchange = await tryCreateLink(context, { currency: null });
      if (!isAccepted(exchange)) return 'refused';
      // A link that is created without a currency is in EUR.
      const { currency } = requireRecord(exchange);
      return currency === 'EUR' ? 'omitted' : new NoMatchingChoice(`a link with a currency of ${String(currency)}`);
    },
  }),
  activeProbe({
    gap: 'request.malformed-json',
    findChoice: async (context) => {
      const malformed = await postLinkText(context, '{"description": "broken', 'application/json');
      const empty = await context.post('/payment-links', {});
      if (isAccepted(empty)) throw new Blocked('a link without any field is not refused', empty);
      // `as-empty`: the target treats malformed JSON like an empty object.
      const error = errorOf(malformed);
      if (malformed.status === empty.status && error !== undefined && error === errorOf(empty)) return 'as-empty';
      return choiceByStatus(malformed, '400');
    },
  }),
  activeProbe({
    gap: 'request.not-found',
    findChoice: async (context) => {
      // The keys are the words with which errors begin if the choice is `named`: `Invoice not found`.
      const paths = {
        Invoice: `/invoices/${nonexistentInteger}`,
        Deposit: depositPath(await context.use(nonexistentDeposit)),
        Route: '/contract-suite',
      };
      const errorByKind: Record<string, string> = {};
      for (const [kind, path] of Object.entries(paths)) {
        const response = await context.get(path);
        if (response.status !== 404) return noMatchingChoiceFor(response);
        const error = errorOf(response);
        if (typeof error !== 'string' || error === '')
          return new NoMatchingChoice(`\`error\` is ${JSON.stringify(error)}`);
        errorByKind[kind] = error;
      }
      const errors = Object.entries(errorByKind);
      if (errors.every(([kind, error]) => error === `${kind} not found`)) return 'named';
      const [firstError = ''] = Object.values(errorByKind);
      if (errors.every(([, error]) => error === firstError)) return { error: firstError };
      const { Invoice: invoice = '', Deposit: deposit = '', Route: route = '' } = errorByKind;
      return { errors: { invoice, deposit, route } };
    },
  }),
  activeProbe({
    gap: 'request.method',
    findChoice: async (context) => {
      const exchange = await context.send({ method: 'DELETE', path: '/invoices' });
      return choiceByStatus(exchange, '405', '404');
    },
  }),
  activeProbe({
    gap: 'request.trailing-slash',
    findChoice: async (context) => {
      const exchange = await context.get('/invoices/');
      if (isAccepted(exchange)) return 'ignored';
      return exchange.status === 404 ? 'not-found' : noMatchingChoiceFor(exchange);
    },
  }),
  activeProbe({
    gap: 'request.content-type',
    findChoice: async (context) => {
      const body = JSON.stringify({ description: context.withRunPrefix('as text'), amount: 10, currency: 'EUR' });
      const exchange = await postLinkText(context, body, 'text/plain');
      return isAccepted(exchange) ? 'parsed' : choiceByStatus(exchange, '415');
    },
  }),
  activeProbe({
    gap: 'invoice.id-text',
    findChoice: async (context) => {
      const exchange = await context.get('/invoices/abc');
      return choiceByStatus(exchange, '404', '400', '422');
    },
  }),
];
