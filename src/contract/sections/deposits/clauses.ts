import type { Clause } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import { aUrl, expectSuccess, isSuccess, nonEmptyString, succeeded, valueAt } from '../../engine/expect.js';
import { Blocked, Violation } from '../../engine/verdict.js';
import { foreignDeposit, pair, pairPage, pairReplay } from '../deposit-lifecycle/two-deposits.js';
import { depositRows, rowOf } from '../field-rows.js';
import { afterReplay, concurrentCreations, lateReplay, otherKey, type Replay, replay } from '../idempotency/setups.js';
import { isSame, isSameText } from '../same-fields.js';
import { authorizationUrl, depositAnswer, newDeposit, readNewDeposit, recordIn } from './setups.js';

const creation = {
  operation: 'createDeposit',
  spec: 'POST /deposits',
  quote:
    'Rule: repeating the request with the same `Idempotency-Key` returns the original deposit and creates no duplicate.',
} as const;

const urlSentence = 'The creation response contains `authorization_url` (string), the link to be sent to the guest.';

const creations: readonly Clause[] = [
  {
    id: 'DEP-CREATE-01',
    level: 'documented',
    ...creation,
    quote: 'Body: the security deposit creation fields listed under Resources.',
    title: 'A deposit with all its fields is created.',
    check: async (context) => expectSuccess((await context.use(depositAnswer)).exchange),
  },
  {
    id: 'DEP-CREATE-02',
    level: 'documented',
    ...creation,
    quote: 'Response contains `authorization_url`.',
    title: '`authorization_url` is a string.',
    check: async (context) => {
      const { exchange } = await context.use(depositAnswer);
      const url = authorizationUrl(succeeded(exchange));
      if (!nonEmptyString.matches(url)) throw new Violation('an `authorization_url` that is a string', url, exchange);
    },
  },
  {
    id: 'DEP-CREATE-03',
    level: 'documented',
    operation: creation.operation,
    spec: 'Security deposit',
    quote: urlSentence,
    title: '`authorization_url` is a link.',
    check: async (context) => {
      const { exchange } = await context.use(depositAnswer);
      const url = authorizationUrl(succeeded(exchange));
      if (!aUrl.matches(url)) throw new Violation('an `authorization_url` that is a URL', url, exchange);
    },
  },
  {
    id: 'DEP-CREATE-04',
    level: 'inferred',
    operation: creation.operation,
    spec: 'GET /deposits/{id}',
    quote: 'Path parameter `id`: deposit identifier.',
    title: 'The response to a creation has the `id` of the deposit.',
    check: async (context) => {
      const { exchange } = await context.use(depositAnswer);
      const id = recordIn(succeeded(exchange))?.['id'];
      if (typeof id !== 'number' && typeof id !== 'bigint' && !nonEmptyString.matches(id))
        throw new Violation('an `id`', id, exchange);
    },
  },
];

const pairs: readonly Clause[] = [
  {
    id: 'DEP-CREATE-05',
    level: 'inferred',
    operation: creation.operation,
    spec: 'Security deposit',
    quote: urlSentence,
    title: 'Every deposit has an `authorization_url` of its own.',
    check: async (context) => {
      const [one, other] = (await context.use(pair)).map(({ exchange }) => exchange);
      const [first, second] = [one, other].map((exchange) => exchange && authorizationUrl(exchange));
      if (first === second) throw new Violation(`an \`authorization_url\` other than ${String(first)}`, second, other);
    },
  },
  {
    id: 'DEP-FIELD-09',
    level: 'inferred',
    operation: 'getDeposit',
    spec: 'Security deposit',
    quote: depositRows.booking_reference,
    title: 'If a deposit shows texts, they equal the given ones, in any script.',
    check: async (context) => {
      const [one] = await context.use(pair);
      const listed = (await context.use(pairPage)).rows.find(({ id }) => String(id) === String(one.id));
      let isShown = false;
      for (const record of [one.record, listed]) {
        for (const field of ['booking_reference', 'customer.name', 'metadata.run']) {
          const shown = valueAt(record, field) ?? undefined;
          if (shown === undefined) continue;
          isShown = true;
          const wanted = valueAt(one.body, field);
          if (!isSameText(shown, wanted)) {
            throw new Violation(`\`${field}\` to be ${String(wanted)}, as given`, shown, one.exchange);
          }
        }
      }
      if (!isShown) throw new Blocked('no deposit shows a text that was given');
    },
  },
  {
    id: 'DEP-FIELD-10',
    level: 'inferred',
    operation: creation.operation,
    spec: 'Security deposit',
    quote: depositRows.currency,
    title: 'If a deposit in another currency shows its `currency`, it is the given one.',
    check: async (context) => {
      const exchange = await context.use(foreignDeposit);
      const currency = recordIn(exchange)?.['currency'];
      if (currency === undefined) throw new Blocked('no deposit shows `currency`', exchange);
      if (currency !== 'USD') throw new Violation('`currency` to be USD, as given', currency, exchange);
    },
  },
];

const given = [
  'booking_reference',
  'amount',
  'currency',
  'customer.name',
  'customer.email',
  'check_in_date',
  'check_out_date',
  'metadata.run',
] as const;

/** Which fields responses show is open; a shown field must equal the created one. */
const fields: readonly Clause[] = given.map((field, index) => ({
  id: `DEP-FIELD-0${index + 1}`,
  level: 'inferred',
  operation: 'getDeposit',
  spec: 'Security deposit',
  quote: rowOf(depositRows, field),
  title: `Where a deposit shows \`${field}\`, it is the one given.`,
  check: async (context) => {
    const { exchange, body } = await context.use(newDeposit);
    const wanted = valueAt(body, field);
    let isShown = false;
    for (const page of [exchange, await context.use(readNewDeposit)]) {
      const shown = valueAt(recordIn(succeeded(page)), field);
      if (shown === undefined || shown === null) continue;
      isShown = true;
      // A date may be shown as a time on that day.
      const isOnIt = typeof shown === 'string' && field.endsWith('_date') && shown.startsWith(String(wanted));
      if (!isSame(wanted, shown) && !isOnIt) {
        throw new Violation(`\`${field}\` to be ${String(wanted)}, as given`, shown, page);
      }
    }
    if (!isShown) throw new Blocked(`no deposit shows \`${field}\``);
  },
}));

/** Id as a string: whether it is a number or a string is open, and may differ between responses. */
function idOf(exchange: Exchange): string | undefined {
  const { id } = recordIn(exchange) ?? {};
  return id === undefined || id === null ? undefined : String(id);
}

/** @throws Violation unless the repeated creation returns the original, by its id if responses show one */
function expectOriginal({ original, exchange }: Replay): void {
  const [first, second] = [idOf(original.exchange), idOf(exchange)];
  if (first !== undefined && second !== undefined) {
    if (first !== second) throw new Violation(`the original deposit ${first}`, second, exchange);
    return;
  }
  const [url, again] = [authorizationUrl(original.exchange), authorizationUrl(exchange)];
  if (url !== again) throw new Violation(`the original deposit, with ${String(url)}`, again, exchange);
}

const idempotency: readonly Clause[] = [
  {
    id: 'DEP-IDEM-01',
    level: 'documented',
    ...creation,
    title: 'Repeating a creation with the same `Idempotency-Key` is a success.',
    check: async (context) => expectSuccess((await context.use(replay)).exchange),
  },
  {
    id: 'DEP-IDEM-02',
    level: 'documented',
    ...creation,
    title: 'Repeating a creation with the same `Idempotency-Key` returns the original deposit.',
    check: async (context) => {
      const again = await context.use(replay);
      succeeded(again.exchange);
      expectOriginal(again);
    },
  },
  {
    id: 'DEP-IDEM-03',
    level: 'documented',
    ...creation,
    title: 'Repeating a creation with the same `Idempotency-Key` creates no duplicate.',
    check: async (context) => {
      const { page, rows } = await context.use(afterReplay);
      if (rows.length === 0) throw new Blocked('the list does not have the deposit of the booking', page);
      if (rows.length > 1) throw new Violation('one deposit of the booking', `${rows.length}`, page);
    },
  },
  {
    id: 'DEP-IDEM-04',
    level: 'inferred',
    ...creation,
    title: 'The `authorization_url` of a repeated creation is that of the original.',
    check: async (context) => {
      const { original, exchange } = await context.use(replay);
      const [url, again] = [authorizationUrl(original.exchange), authorizationUrl(succeeded(exchange))];
      if (url !== again) throw new Violation(`\`authorization_url\` to be ${String(url)}`, again, exchange);
    },
  },
  {
    id: 'DEP-IDEM-05',
    level: 'documented',
    ...creation,
    title: 'The original deposit is returned even if it has been authorized in the meantime.',
    check: async (context) => {
      const again = await context.use(lateReplay);
      expectSuccess(again.exchange);
      expectOriginal(again);
    },
  },
  {
    id: 'DEP-IDEM-06',
    level: 'inferred',
    ...creation,
    title: 'Two concurrent creations with one `Idempotency-Key` create one deposit.',
    check: async (context) => {
      const { answers, listed } = await context.use(concurrentCreations);
      const made = answers.map(({ exchange }) => exchange).filter(isSuccess);
      if (made.length === 0) throw new Blocked('neither of the two has made a deposit');
      const count = Math.max(listed.rows.length, new Set(made.map(idOf)).size);
      if (count > 1) throw new Violation('one deposit', `${count}`, made.at(-1));
    },
  },
  {
    id: 'DEP-IDEM-07',
    level: 'inferred',
    ...creation,
    title: 'The same request with another `Idempotency-Key` creates another deposit.',
    check: async (context) => {
      const { original, exchange } = await context.use(otherKey);
      const id = idOf(succeeded(exchange));
      if (id === undefined) throw new Blocked('the answer shows no `id`', exchange);
      if (id === String(original.id)) throw new Violation(`a deposit other than ${id}`, id, exchange);
    },
  },
];

const keys: readonly Clause[] = [
  {
    id: 'DEP-IDEM-08',
    level: 'documented',
    ...creation,
    title: 'Two keys that are used concurrently create two deposits, and each keeps returning its own.',
    check: async (context) => {
      const originals = await context.use(pair);
      const [one, other] = originals;
      if (String(one.id) === String(other.id)) {
        throw new Violation(`a deposit other than ${one.id}`, String(other.id), other.exchange);
      }
      const answers = await context.use(pairReplay);
      for (const [index, original] of originals.entries()) {
        const exchange = answers[index];
        if (exchange) expectOriginal({ original, exchange: succeeded(exchange) });
      }
    },
  },
];

/** Deposits: creation and idempotency. */
export const depositClauses: readonly Clause[] = [...creations, ...fields, ...pairs, ...idempotency, ...keys];
