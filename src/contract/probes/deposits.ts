import type { Exchange } from '../exchange.js';
import { decimalOf, isSuccess, succeeded, valueAt } from '../expect.js';
import { isAccepted, tryDeposit } from '../facts/attempts.js';
import { depositBody, newDeposit, readNewDeposit, recordIn } from '../facts/deposits.js';
import { dayIn } from '../facts/invoices.js';
import { statistics } from '../facts/statistics.js';
import { ask, look, type Probe, Unlisted } from '../probe.js';
import { fact, type Scene } from '../session.js';
import { Blocked, Skip } from '../verdict.js';

const fields = [
  'id',
  'booking_reference',
  'amount',
  'currency',
  'customer',
  'check_in_date',
  'check_out_date',
  'metadata',
  'status',
  'captured_amount',
  'remaining_amount',
  'authorization_url',
  'authorized_at',
  'expires_at',
  'released_at',
  'created_at',
];

/** What came of deposits that each leave one field out, by the field. */
const without = fact('deposits that leave out a field each', async (scene) => {
  const answers = new Map<string, Exchange>();
  for (const field of Object.keys(depositBody(scene, ''))) {
    answers.set(field, await tryDeposit(scene, { [field]: undefined }));
  }
  return answers;
});

const requirements = [
  ['reference-and-amount', 'booking_reference, amount'],
  ['all', 'booking_reference, amount, currency, customer, check_in_date, check_out_date'],
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

/** Deposits: what they are made with, and what they show. */
export const depositProbes: readonly Probe[] = [
  ask('deposit.required', async (scene) => {
    const answers = await scene.at(without);
    const required = [...answers].flatMap(([field, answer]) => (isAccepted(answer) ? [] : [field]));
    return requirements.find(([, named]) => named === required.join(', '))?.[0] ?? new Unlisted(required);
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
      return form === undefined || (form === 'integer') !== (typeof id === 'number') ? new Unlisted(id) : form;
    },
    'id',
  ),
  look('deposit.fields', async (scene) => {
    const { record } = await scene.at(newDeposit);
    const read = recordIn(succeeded(await scene.at(readNewDeposit))) ?? {};
    const missing = fields.filter((field) => !(field in record) || !(field in read));
    return missing.length === 0 ? 'all' : new Unlisted(`without ${missing.join(', ')}`);
  }),
];
