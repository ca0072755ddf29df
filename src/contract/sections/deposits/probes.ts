import { isRecord } from '../../../lib/is-record.js';
import { activeProbe, type Probe, passiveProbe, Unlisted } from '../../calibrate/probe.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, isSuccess, succeeded, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import { isAccepted, tryDeposit } from '../attempts.js';
import { shown } from '../deposit-lifecycle/setups.js';
import { dayIn } from '../invoice-creation/setups.js';
import { statistics } from '../statistics/setups.js';
import {
  creationFields,
  depositFields,
  depositMoments,
  filteredDeposits,
  newDeposit,
  readNewDeposit,
  recordIn,
} from './setups.js';

/** Responses to deposits that each omit one field, by field. */
const without = setup('deposits that leave out a field each', async (context) => {
  const answers = new Map<string, Exchange>();
  for (const field of creationFields) {
    answers.set(field, await tryDeposit(context, { [field]: undefined }));
  }
  return answers;
});

const requirements = [
  ['reference-and-amount', 'booking_reference, amount'],
  ['all', creationFields.filter((field) => field !== 'metadata').join(', ')],
  ['amount', 'amount'],
] as const;

const forms = [
  ['integer', /^\d+$/],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i],
  ['prefixed', /^dep_[\da-z]+$/i],
] as const;

/** Amount of a created deposit; undefined if it is refused, NaN if it is not shown. */
async function amountFor(context: ClauseContext, amount: number): Promise<number | undefined> {
  const exchange = await tryDeposit(context, { amount });
  return isAccepted(exchange) ? (decimalOf(recordIn(exchange)?.['amount']) ?? Number.NaN) : undefined;
}

/**
 * Fields of deposits after creation, in registry order. Fields that are set later are read from authorized and released
 * deposits.
 * @throws Skip if there are none
 */
async function fieldsShown(context: ClauseContext): Promise<(typeof depositFields)[number][]> {
  const given = recordIn(succeeded(await context.use(readNewDeposit))) ?? {};
  const { rows } = await filteredDeposits(context, {});
  const lives = await Promise.all([ifPossible(context.use(shown.authorized)), ifPossible(context.use(shown.released))]);
  const later = [...rows, ...lives.flatMap((life) => (life ? [recordIn(life.page) ?? {}] : []))];
  for (const moment of depositMoments) {
    const statuses = moment === 'released_at' ? ['released'] : held;
    if (moment in given || later.some(({ status }) => statuses.some((one) => one === status))) continue;
    throw new Skip(`a deposit that is ${statuses[0]}`, `none is there to show \`${moment}\``);
  }
  return depositFields.filter(
    (field) => field in given || (isMoment(field) && later.some((record) => field in record)),
  );
}

/** Statuses that require an authorization. */
const held = ['authorized', 'partially_captured', 'captured', 'released'];

function isMoment(field: string): boolean {
  return depositMoments.some((moment) => moment === field);
}

/** How a field without a value is represented, or its value. */
function lookOf(value: unknown): unknown {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (value === '') return 'empty-text';
  return isRecord(value) && Object.keys(value).length === 0 ? 'empty-object' : value;
}

/** The only observed representation; the first choice if none was observed. */
function only<Look extends string>(seen: ReadonlySet<unknown>, ...looks: readonly [Look, ...Look[]]): Look | undefined {
  const [look, ...others] = [...seen].filter((one) => one !== undefined);
  if (others.length > 0) return undefined;
  return look === undefined ? looks[0] : looks.find((one) => one === look);
}

/** Deposits: fields of requests and responses. */
export const depositProbes: readonly Probe[] = [
  activeProbe('deposit.required', async (context) => {
    const answers = await context.use(without);
    const required = [...answers].flatMap(([field, answer]) => (isAccepted(answer) ? [] : [field]));
    const usual = requirements.find(([, names]) => names === required.join(', '));
    if (usual) return usual[0];
    const fields = creationFields.filter((field) => required.includes(field));
    return required.includes('amount') ? { fields } : new Unlisted(required);
  }),
  activeProbe(
    'deposit.currency',
    async (context) => {
      const answer = (await context.use(without)).get('currency');
      if (!answer || !isSuccess(answer)) throw new Skip('a deposit without a currency', 'it is refused');
      const account = valueAt(succeeded(await context.use(statistics)).json, 'data.currency');
      if (account === 'EUR') throw new Skip('an account in another currency than EUR', 'this one is in EUR anyway');
      const currency = recordIn(answer)?.['currency'];
      if (currency === undefined) throw new Blocked('the deposit does not show its `currency`', answer);
      if (currency === 'EUR') return 'eur';
      return currency === account ? 'account' : new Unlisted(currency);
    },
    'currency',
  ),
  activeProbe(
    'deposit.amount-range',
    async (context) => {
      const [none, odd] = [await amountFor(context, 0), await amountFor(context, 1.005)];
      if (none === undefined && odd === undefined) return 'refused';
      return none === undefined && odd === 1.01 ? 'rounded' : new Unlisted([none ?? 'refused', odd ?? 'refused']);
    },
    'amount',
  ),
  activeProbe(
    'deposit.dates',
    async (context) =>
      isAccepted(await tryDeposit(context, { check_in_date: dayIn(17), check_out_date: dayIn(14) }))
        ? 'accepted'
        : 'refused',
    'check_in_date',
    'check_out_date',
  ),
  passiveProbe(
    'deposit.id',
    async (context) => {
      const { id } = await context.use(newDeposit);
      const [form] = forms.find(([, pattern]) => pattern.test(String(id))) ?? [];
      return form === undefined || (form === 'integer') === (typeof id === 'string') ? new Unlisted(id) : form;
    },
    'id',
  ),
  activeProbe('deposit.unset-fields', async (context) => {
    const fieldSet = new Set<string>(await fieldsShown(context));
    const answers = await context.use(without);
    const unset = (field: string): unknown => {
      const answer = answers.get(field);
      // Required fields, and fields that are never shown, keep the default.
      return fieldSet.has(field) && answer && isAccepted(answer) ? lookOf(recordIn(answer)?.[field]) : undefined;
    };
    const pending = recordIn(succeeded(await context.use(readNewDeposit))) ?? {};
    const looks = {
      customer: new Set([unset('customer')]),
      dates: new Set([unset('check_in_date'), unset('check_out_date')]),
      metadata: new Set([unset('metadata')]),
      moments: new Set(depositMoments.map((name) => (fieldSet.has(name) ? lookOf(pending[name]) : undefined))),
    };
    const each = {
      customer: only(looks.customer, 'null', 'absent'),
      dates: only(looks.dates, 'null', 'absent', 'empty-text'),
      metadata: only(looks.metadata, 'empty-object', 'null', 'absent'),
      moments: only(looks.moments, 'null', 'absent'),
    };
    const { customer, dates, metadata, moments: whens } = each;
    if (!customer || !dates || !metadata || !whens) {
      return new Unlisted(Object.fromEntries(Object.entries(looks).map(([name, seen]) => [name, [...seen]])));
    }
    const isUsual = [customer, dates, whens].every((look) => look === 'null') && metadata === 'empty-object';
    return isUsual ? 'nulls' : { each: { customer, dates, metadata, moments: whens } };
  }),
  activeProbe('deposit.fields', async (context) => {
    const names = await fieldsShown(context);
    const { record } = await context.use(newDeposit);
    const created = names.filter((field) => field in record || isMoment(field));
    if (created.length < names.length) {
      return new Unlisted(`${names.join(', ')}, and ${created.join(', ')} when it is created`);
    }
    if (!names.includes('id')) return new Unlisted(names);
    return names.length === depositFields.length ? 'all' : { fields: names };
  }),
];
