import { ask, look, type Probe, Unlisted } from '../../calibrate/probe.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, isRecord, isSuccess, succeeded, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { fact, type Scene } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import { shown } from '../deposit-lifecycle/setups.js';
import { dayIn } from '../invoice-creation/setups.js';
import { statistics } from '../statistics/setups.js';
import { isAccepted, tryDeposit } from '../webhooks/attempts.js';
import {
  creationFields,
  depositFields,
  depositMoments,
  filteredDeposits,
  newDeposit,
  readNewDeposit,
  recordIn,
} from './setups.js';

/** What came of deposits that each leave one field out, by the field. */
const without = fact('deposits that leave out a field each', async (scene) => {
  const answers = new Map<string, Exchange>();
  for (const field of creationFields) {
    answers.set(field, await tryDeposit(scene, { [field]: undefined }));
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

/** The amount that a deposit gets; undefined where it is refused, NaN where it is not shown. */
async function amountFor(scene: Scene, amount: number): Promise<number | undefined> {
  const exchange = await tryDeposit(scene, { amount });
  return isAccepted(exchange) ? (decimalOf(recordIn(exchange)?.['amount']) ?? Number.NaN) : undefined;
}

/**
 * The fields that deposits show once they are created, in the order of the registry. Those that time fills in are shown by
 * deposits that were authorized, and released.
 * @throws Skip where there is none
 */
async function fieldsShown(scene: Scene): Promise<(typeof depositFields)[number][]> {
  const given = recordIn(succeeded(await scene.at(readNewDeposit))) ?? {};
  const { rows } = await filteredDeposits(scene, {});
  const lives = await Promise.all([ifPossible(scene.at(shown.authorized)), ifPossible(scene.at(shown.released))]);
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

/** Statuses that only an authorization leads to. */
const held = ['authorized', 'partially_captured', 'captured', 'released'];

function isMoment(field: string): boolean {
  return depositMoments.some((moment) => moment === field);
}

/** How a field without a value looks, or what it shows. */
function lookOf(value: unknown): unknown {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (value === '') return 'empty-text';
  return isRecord(value) && Object.keys(value).length === 0 ? 'empty-object' : value;
}

/** The one look that was seen; where nothing was seen, the first stands for it. */
function only<Look extends string>(seen: ReadonlySet<unknown>, ...looks: readonly [Look, ...Look[]]): Look | undefined {
  const [look, ...others] = [...seen].filter((one) => one !== undefined);
  if (others.length > 0) return undefined;
  return look === undefined ? looks[0] : looks.find((one) => one === look);
}

/** Deposits: what they are made with, and what they show. */
export const depositProbes: readonly Probe[] = [
  ask('deposit.required', async (scene) => {
    const answers = await scene.at(without);
    const required = [...answers].flatMap(([field, answer]) => (isAccepted(answer) ? [] : [field]));
    const usual = requirements.find(([, names]) => names === required.join(', '));
    if (usual) return usual[0];
    const fields = creationFields.filter((field) => required.includes(field));
    return required.includes('amount') ? { fields } : new Unlisted(required);
  }),
  ask(
    'deposit.currency',
    async (scene) => {
      const answer = (await scene.at(without)).get('currency');
      if (!answer || !isSuccess(answer)) throw new Skip('a deposit without a currency', 'it is refused');
      const account = valueAt(succeeded(await scene.at(statistics)).json, 'data.currency');
      if (account === 'EUR') throw new Skip('an account in another currency than EUR', 'this one is in EUR anyway');
      const currency = recordIn(answer)?.['currency'];
      if (currency === undefined) throw new Blocked('the deposit does not show its `currency`', answer);
      if (currency === 'EUR') return 'eur';
      return currency === account ? 'account' : new Unlisted(currency);
    },
    'currency',
  ),
  ask(
    'deposit.amount-range',
    async (scene) => {
      const [none, odd] = [await amountFor(scene, 0), await amountFor(scene, 1.005)];
      if (none === undefined && odd === undefined) return 'refused';
      return none === undefined && odd === 1.01 ? 'rounded' : new Unlisted([none ?? 'refused', odd ?? 'refused']);
    },
    'amount',
  ),
  ask(
    'deposit.dates',
    async (scene) =>
      isAccepted(await tryDeposit(scene, { check_in_date: dayIn(17), check_out_date: dayIn(14) }))
        ? 'accepted'
        : 'refused',
    'check_in_date',
    'check_out_date',
  ),
  look(
    'deposit.id',
    async (scene) => {
      const { id } = await scene.at(newDeposit);
      const [form] = forms.find(([, pattern]) => pattern.test(String(id))) ?? [];
      return form === undefined || (form === 'integer') === (typeof id === 'string') ? new Unlisted(id) : form;
    },
    'id',
  ),
  ask('deposit.unset-fields', async (scene) => {
    const fieldSet = new Set<string>(await fieldsShown(scene));
    const answers = await scene.at(without);
    const unset = (field: string): unknown => {
      const answer = answers.get(field);
      // What has to be given, or is never shown, is as it is by default.
      return fieldSet.has(field) && answer && isAccepted(answer) ? lookOf(recordIn(answer)?.[field]) : undefined;
    };
    const pending = recordIn(succeeded(await scene.at(readNewDeposit))) ?? {};
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
  ask('deposit.fields', async (scene) => {
    const names = await fieldsShown(scene);
    const { record } = await scene.at(newDeposit);
    const created = names.filter((field) => field in record || isMoment(field));
    if (created.length < names.length) {
      return new Unlisted(`${names.join(', ')}, and ${created.join(', ')} when it is created`);
    }
    if (!names.includes('id')) return new Unlisted(names);
    return names.length === depositFields.length ? 'all' : { fields: names };
  }),
];
