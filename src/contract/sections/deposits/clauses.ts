import type { Clause } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import { aUrl, expectSuccess, isSuccess, nonEmptyString, requireSuccess, valueAt } from '../../engine/expect.js';
import { Blocked, Violation } from '../../engine/verdict.js';
import { depositPair, depositPairPage, pairReplays, usdDeposit } from '../deposit-lifecycle/two-deposits.js';
import { expectAccepted } from '../expect-accepted.js';
import { depositRows, rowOf } from '../field-rows.js';
import {
  concurrentCreations,
  depositsAfterReplay,
  otherKeyCreation,
  type Replay,
  replay,
  replayAfterAuthorization,
  replayAfterCompletion,
  upperCaseKeyCreation,
} from '../idempotency/setups.js';
import { isSameText, isSameValue } from '../same-values.js';
import { authorizationUrl, depositCreation, depositRecordIn, newDeposit, newDepositDetail } from './setups.js';

const common = {
  operation: 'createDeposit',
  spec: 'POST /deposits',
  quote:
    'Rule: repeating the request with the same `Idempotency-Key` returns the original deposit and creates no duplicate.',
} as const;

const urlSentence = 'The creation response contains `authorization_url` (string), the link to be sent to the guest.';

const creationClauses: readonly Clause[] = [
  {
    id: 'DEP-CREATE-01',
    level: 'documented',
    ...common,
    quote: 'Body: the security deposit creation fields listed under Resources.',
    title: 'A deposit with all its fields is created.',
    check: async (context) => expectAccepted(context, (await context.use(depositCreation)).exchange),
  },
  {
    id: 'DEP-CREATE-02',
    level: 'documented',
    ...common,
    quote: 'Response contains `authorization_url`.',
    title: '`authorization_url` is a string.',
    check: async (context) => {
      const { exchange } = await context.use(depositCreation);
      const url = authorizationUrl(requireSuccess(exchange));
      if (!nonEmptyString.matches(url))
        throw new Violation('an `authorization_url` that is a non-empty string', url, exchange);
    },
  },
  {
    id: 'DEP-CREATE-03',
    level: 'documented',
    operation: common.operation,
    spec: 'Security deposit',
    quote: urlSentence,
    title: '`authorization_url` is a link.',
    check: async (context) => {
      const { exchange } = await context.use(depositCreation);
      const url = authorizationUrl(requireSuccess(exchange));
      if (!aUrl.matches(url)) throw new Violation('an `authorization_url` that is a URL', url, exchange);
    },
  },
  {
    id: 'DEP-CREATE-04',
    level: 'inferred',
    operation: common.operation,
    spec: 'GET /deposits/{id}',
    quote: 'Path parameter `id`: deposit identifier.',
    title: 'The response to a creation has the `id` of the deposit.',
    check: async (context) => {
      const { exchange } = await context.use(depositCreation);
      const id = depositRecordIn(requireSuccess(exchange))?.['id'];
      if (typeof id !== 'number' && typeof id !== 'bigint' && !nonEmptyString.matches(id))
        throw new Violation('an `id`', id, exchange);
    },
  },
];

const pairClauses: readonly Clause[] = [
  {
    id: 'DEP-CREATE-05',
    level: 'inferred',
    operation: common.operation,
    spec: 'Security deposit',
    quote: urlSentence,
    title: 'Every deposit has its own `authorization_url`.',
    check: async (context) => {
      const [first, second] = await context.use(depositPair);
      const [firstUrl, secondUrl] = [first, second].map(({ exchange }) => authorizationUrl(exchange));
      if (firstUrl === secondUrl) {
        throw new Violation(`an \`authorization_url\` other than ${String(firstUrl)}`, secondUrl, second.exchange);
      }
    },
  },
  {
    id: 'DEP-FIELD-09',
    level: 'inferred',
    operation: 'getDeposit',
    spec: 'Security deposit',
    quote: depositRows.booking_reference,
    title: 'Where a deposit shows text, it equals the text that was sent, in any script.',
    check: async (context) => {
      const [deposit] = await context.use(depositPair);
      const listed = (await context.use(depositPairPage)).rows.find(({ id }) => String(id) === String(deposit.id));
      let isShown = false;
      for (const record of [deposit.record, listed]) {
        for (const field of ['booking_reference', 'customer.name', 'metadata.run']) {
          const shown = valueAt(record, field) ?? undefined;
          if (shown === undefined) continue;
          isShown = true;
          const sentValue = valueAt(deposit.body, field);
          if (!isSameText(shown, sentValue)) {
            throw new Violation(`\`${field}\` to be ${String(sentValue)}, as sent`, shown, deposit.exchange);
          }
        }
      }
      if (!isShown) throw new Blocked('neither the creation nor the list shows any text that was sent');
    },
  },
  {
    id: 'DEP-FIELD-10',
    level: 'inferred',
    operation: common.operation,
    spec: 'Security deposit',
    quote: depositRows.currency,
    title: 'Where a deposit in a currency other than EUR shows its `currency`, it equals the currency that was sent.',
    check: async (context) => {
      const exchange = await context.use(usdDeposit);
      const currency = depositRecordIn(exchange)?.['currency'];
      if (currency === undefined) throw new Blocked('the response shows no `currency`', exchange);
      if (currency !== 'USD') throw new Violation('`currency` to be USD, as sent', currency, exchange);
    },
  },
];

/** Paths of fields of a creation, in the order of the clause ids `DEP-FIELD-01` to `DEP-FIELD-08`. */
const fieldPaths = [
  'booking_reference',
  'amount',
  'currency',
  'customer.name',
  'customer.email',
  'check_in_date',
  'check_out_date',
  'metadata.run',
] as const;

/**
 * Clauses stating that a field has the value that was sent. The specification does not say which fields a response
 * shows, so a field that is missing or null violates none of them.
 */
const shownFieldClauses: readonly Clause[] = fieldPaths.map((field, index) => ({
  id: `DEP-FIELD-0${index + 1}`,
  level: 'inferred',
  operation: 'getDeposit',
  spec: 'Security deposit',
  quote: rowOf(depositRows, field),
  title: `Where a deposit shows \`${field}\`, it equals the value that was sent.`,
  check: async (context) => {
    const { exchange, body } = await context.use(newDeposit);
    const sentValue = valueAt(body, field);
    let isShown = false;
    for (const page of [exchange, await context.use(newDepositDetail)]) {
      const shown = valueAt(depositRecordIn(requireSuccess(page)), field);
      if (shown === undefined || shown === null) continue;
      isShown = true;
      // A date may be shown as a timestamp on that day: `2026-03-01T00:00:00Z`.
      const isTimestampOnThatDay =
        typeof shown === 'string' && field.endsWith('_date') && shown.startsWith(String(sentValue));
      if (!isSameValue(sentValue, shown) && !isTimestampOnThatDay) {
        throw new Violation(`\`${field}\` to be ${String(sentValue)}, as sent`, shown, page);
      }
    }
    if (!isShown) throw new Blocked(`neither the creation nor the detail shows \`${field}\``);
  },
}));

/** Id of the deposit in a response, as a string, because it may be a number in one response and a string in another. */
function idOf(exchange: Exchange): string | undefined {
  const { id } = depositRecordIn(exchange) ?? {};
  return id === undefined || id === null ? undefined : String(id);
}

/**
 * Compares the deposit in the response to a repeated creation with the original, by id, or by `authorization_url` if
 * one of the responses shows no id.
 * @throws Violation unless they are the same
 */
function expectOriginal({ original, exchange }: Replay): void {
  const [originalId, replayedId] = [idOf(original.exchange), idOf(exchange)];
  if (originalId !== undefined && replayedId !== undefined) {
    if (originalId !== replayedId) throw new Violation(`the original deposit ${originalId}`, replayedId, exchange);
    return;
  }
  const [originalUrl, replayedUrl] = [authorizationUrl(original.exchange), authorizationUrl(exchange)];
  if (originalUrl !== replayedUrl)
    throw new Violation(`the original deposit, with ${String(originalUrl)}`, replayedUrl, exchange);
}

/** @throws Violation if a creation with another key returned the original deposit; Blocked if it shows no `id` */
function expectOtherDeposit({ original, exchange }: Replay): void {
  const id = idOf(requireSuccess(exchange));
  if (id === undefined) throw new Blocked('the response shows no `id`', exchange);
  if (id === String(original.id)) throw new Violation(`a deposit other than ${id}`, id, exchange);
}

const idempotencyClauses: readonly Clause[] = [
  {
    id: 'DEP-IDEM-01',
    level: 'documented',
    ...common,
    title: 'Repeating a creation with the same `Idempotency-Key` succeeds.',
    check: async (context) => expectSuccess((await context.use(replay)).exchange),
  },
  {
    id: 'DEP-IDEM-02',
    level: 'documented',
    ...common,
    title: 'Repeating a creation with the same `Idempotency-Key` returns the original deposit.',
    check: async (context) => {
      const repeatedCreation = await context.use(replay);
      requireSuccess(repeatedCreation.exchange);
      expectOriginal(repeatedCreation);
    },
  },
  {
    id: 'DEP-IDEM-03',
    level: 'documented',
    ...common,
    title: 'Repeating a creation with the same `Idempotency-Key` creates no duplicate.',
    check: async (context) => {
      const { page, rows } = await context.use(depositsAfterReplay);
      if (rows.length === 0) throw new Blocked('the list does not contain the deposit of the booking', page);
      if (rows.length > 1) throw new Violation('one deposit of the booking', `${rows.length}`, page);
    },
  },
  {
    id: 'DEP-IDEM-04',
    level: 'inferred',
    ...common,
    title: 'The `authorization_url` of a repeated creation is that of the original.',
    check: async (context) => {
      const { original, exchange } = await context.use(replay);
      const [originalUrl, replayedUrl] = [
        authorizationUrl(original.exchange),
        authorizationUrl(requireSuccess(exchange)),
      ];
      if (originalUrl !== replayedUrl)
        throw new Violation(`\`authorization_url\` to be ${String(originalUrl)}`, replayedUrl, exchange);
    },
  },
  {
    id: 'DEP-IDEM-05',
    level: 'documented',
    ...common,
    title: 'The original deposit is returned even if it has been authorized in the meantime.',
    check: async (context) => {
      const repeatedCreation = await context.use(replayAfterAuthorization);
      expectSuccess(repeatedCreation.exchange);
      expectOriginal(repeatedCreation);
    },
  },
  {
    id: 'DEP-IDEM-06',
    level: 'inferred',
    ...common,
    title: 'Two concurrent creations with one `Idempotency-Key` create one deposit.',
    check: async (context) => {
      const { creations, listed } = await context.use(concurrentCreations);
      const created = creations.map(({ exchange }) => exchange).filter(isSuccess);
      if (created.length === 0) throw new Blocked('neither of the two requests created a deposit');
      // The list may omit a deposit, and the responses may lack ids, so the greater of the two counts is taken.
      const count = Math.max(listed.rows.length, new Set(created.map(idOf)).size);
      if (count > 1) throw new Violation('one deposit', `${count}`, created.at(-1));
    },
  },
  {
    id: 'DEP-IDEM-07',
    level: 'inferred',
    ...common,
    title: 'The same request with another `Idempotency-Key` creates another deposit.',
    check: async (context) => expectOtherDeposit(await context.use(otherKeyCreation)),
  },
];

const concurrentKeyClauses: readonly Clause[] = [
  {
    id: 'DEP-IDEM-08',
    level: 'documented',
    ...common,
    title: 'Two keys that are used concurrently create two deposits, and repeating each key returns its own deposit.',
    check: async (context) => {
      const originals = await context.use(depositPair);
      const [first, second] = originals;
      if (String(first.id) === String(second.id)) {
        throw new Violation(`a deposit other than ${first.id}`, String(second.id), second.exchange);
      }
      const replays = await context.use(pairReplays);
      for (const [index, original] of originals.entries()) {
        const exchange = replays[index];
        if (exchange) expectOriginal({ original, exchange: requireSuccess(exchange) });
      }
    },
  },
];

const completedDepositClauses: readonly Clause[] = (
  [
    ['09', 'captured in full', replayAfterCompletion.captured],
    ['10', 'released', replayAfterCompletion.released],
  ] as const
).map(([number, completion, repeatedCreation]) => ({
  id: `DEP-IDEM-${number}`,
  // The specification leaves open how long a key is remembered, which might end with the deposit.
  level: 'inferred',
  ...common,
  title: `The original deposit is returned even if it has been ${completion} in the meantime.`,
  check: async (context) => {
    const replayed = await context.use(repeatedCreation);
    const { exchange } = replayed;
    expectSuccess(exchange);
    // The deposit may be shown as it is now, when the guest no longer needs a URL.
    if (idOf(exchange) === undefined && authorizationUrl(exchange) === undefined) {
      throw new Blocked('the response shows neither an `id` nor an `authorization_url`', exchange);
    }
    expectOriginal(replayed);
  },
}));

const keyCaseClauses: readonly Clause[] = [
  {
    id: 'DEP-IDEM-11',
    // The client chooses a string, and strings that differ in case are not the same.
    level: 'inferred',
    ...common,
    title: 'The same request with an `Idempotency-Key` that differs only in case creates another deposit.',
    check: async (context) => expectOtherDeposit(await context.use(upperCaseKeyCreation)),
  },
];

/** Deposits: creation and idempotency. */
export const depositClauses: readonly Clause[] = [
  ...creationClauses,
  ...shownFieldClauses,
  ...pairClauses,
  ...idempotencyClauses,
  ...concurrentKeyClauses,
  ...completedDepositClauses,
  ...keyCaseClauses,
];
