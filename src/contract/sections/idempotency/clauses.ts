import { Blocked, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import { expectSuccess, isClientError, isSuccess, nonEmptyString, requireSuccess } from '../../engine/expect.js';
import { isPresent, isSameId } from '../../predicates/matchers.js';
import { statusAfter, steps } from '../deposit-lifecycle/setups.js';
import { depositPair, pairReplays } from '../deposit-lifecycle/two-deposits.js';
import { requireListed } from '../deposit-list/setups.js';
import { authorizationUrl, expectAuthorizationUrl } from '../deposits/authorization-url.js';
import { depositRecordIn, readStatus } from '../deposits/setups.js';
import {
  concurrentCreations,
  depositsAfterReplay,
  laterReplay,
  longKeyCreation,
  otherKeyCreation,
  replay,
  replayAfter,
  replayAfterAuthorization,
  type SecondCreation,
  upperCaseKeyCreation,
  usedKeyCreation,
} from './setups.js';

const common = {
  level: 'documented',
  operation: 'createDeposit',
  spec: 'POST /deposits',
  quote:
    'Rule: repeating the request with the same `Idempotency-Key` returns the original deposit and creates no duplicate.',
} as const;

/** Id of the deposit in a response, as a string, because it may be a number in one response and a string in another. */
function idOf(exchange: Exchange): string | undefined {
  const { id } = depositRecordIn(exchange);
  return id === undefined || id === null ? undefined : String(id);
}

/**
 * Compares the deposit in the response to a repeated create request with the original, by id, or by
 * `authorization_url` if one of the responses shows no id.
 * @throws Violation unless they are the same; Blocked if the responses have neither in common
 */
function expectOriginal({ original, exchange }: SecondCreation): void {
  const [originalId, replayedId] = [idOf(original.exchange), idOf(exchange)];
  if (originalId !== undefined && replayedId !== undefined) {
    if (originalId !== replayedId) throw new Violation(`the original deposit ${originalId}`, replayedId, exchange);
    return;
  }
  const [originalUrl, replayedUrl] = [authorizationUrl(original.exchange), authorizationUrl(exchange)];
  // The response may show the current state of the deposit, in which the guest no longer needs a URL.
  if (!isPresent(originalUrl) || !isPresent(replayedUrl))
    throw new Blocked('neither an `id` nor an `authorization_url` is in both responses', exchange);
  if (originalUrl !== replayedUrl)
    throw new Violation(`the original deposit, with ${originalUrl}`, replayedUrl, exchange);
}

/**
 * @throws Violation if a create request with another key returned the original deposit; Blocked if it failed, or if the
 * response shows no `id`
 */
function expectOtherDeposit({ original, exchange }: SecondCreation): void {
  const id = idOf(requireSuccess(exchange));
  if (id === undefined) throw new Blocked('the response shows no `id`', exchange);
  if (id === String(original.id)) throw new Violation(`a deposit other than ${id}`, id, exchange);
}

/**
 * Checks the response to a repeated create request whose deposit has since been authorized, captured, released or
 * declined.
 * @throws Violation; Blocked if the response shows nothing that identifies the deposit
 */
function expectOriginalIfShown(secondCreation: SecondCreation): void {
  expectSuccess(secondCreation.exchange);
  expectOriginal(secondCreation);
}

/**
 * Setups that repeat a create request after a step that ends the lifecycle of the deposit. Expiry is missing: to expire a
 * deposit, a driver may advance the target's clock, and then the key may expire, too.
 */
const replaysAfterCompletion = [
  ['09', 'captured in full', replayAfter(steps.capturedInFull)],
  ['10', 'released', replayAfter(steps.released)],
  ['14', 'declined', replayAfter(steps.declined)],
] as const;

const replayAfterPartialCapture = replayAfter(steps.capturedInPart);

/** `Idempotency-Key` of create requests. */
export const idempotencyClauses: readonly Clause[] = [
  {
    ...common,
    id: 'DEP-IDEM-01',
    title: 'Repeating a create request with the same `Idempotency-Key` succeeds.',
    check: async (context) => {
      for (const repetition of [replay, laterReplay]) expectSuccess((await context.use(repetition)).exchange);
    },
  },
  {
    ...common,
    id: 'DEP-IDEM-02',
    title: 'Repeating a create request with the same `Idempotency-Key` returns the original deposit.',
    check: async (context) => {
      for (const repetition of [replay, laterReplay]) {
        const secondCreation = await context.use(repetition);
        requireSuccess(secondCreation.exchange);
        expectOriginal(secondCreation);
      }
    },
  },
  {
    ...common,
    id: 'DEP-IDEM-03',
    title: 'Repeating a create request with the same `Idempotency-Key` creates no duplicate.',
    check: async (context) => {
      // The list is filtered by the `booking_reference` of the deposit.
      const listed = await context.use(depositsAfterReplay);
      requireListed(listed);
      const { page, records } = listed;
      if (records.length > 1) throw new Violation('one deposit of the booking', `${records.length}`, page);
    },
  },
  {
    ...common,
    id: 'DEP-IDEM-04',
    level: 'inferred',
    title: 'Repeating a create request with the same `Idempotency-Key` returns the original `authorization_url`.',
    check: async (context) => {
      const { original, exchange } = await context.use(replay);
      const [originalUrl, replayedUrl] = [
        authorizationUrl(original.exchange),
        authorizationUrl(requireSuccess(exchange)),
      ];
      if (!isPresent(originalUrl) && !isPresent(replayedUrl))
        throw new Blocked('neither response shows an `authorization_url`', exchange);
      if (originalUrl !== replayedUrl)
        throw new Violation(`\`authorization_url\` to be ${String(originalUrl)}`, replayedUrl, exchange);
    },
  },
  {
    ...common,
    id: 'DEP-IDEM-05',
    title: 'The original deposit is returned even if it has been authorized in the meantime.',
    check: async (context) => {
      expectOriginalIfShown(await context.use(replayAfterAuthorization));
    },
  },
  {
    ...common,
    id: 'DEP-IDEM-06',
    title: 'Two concurrent create requests with one `Idempotency-Key` create one deposit.',
    check: async (context) => {
      const { creations, listed } = await context.use(concurrentCreations);
      const created = creations.map(({ exchange }) => exchange).filter(isSuccess);
      if (created.length === 0) throw new Blocked('neither of the two requests created a deposit');
      // The list may omit a deposit, and the responses may lack ids, so the greater of the two counts is taken.
      const ids = new Set(created.flatMap((exchange) => idOf(exchange) ?? []));
      const count = Math.max(listed.records.length, ids.size);
      if (count === 0)
        throw new Blocked('neither the responses show an `id`, nor the list a deposit of the booking', listed.page);
      if (count > 1) throw new Violation('one deposit', `${count}`, ids.size > 1 ? created.at(-1) : listed.page);
    },
  },
  {
    ...common,
    id: 'DEP-IDEM-07',
    level: 'inferred',
    title: 'The same request with another `Idempotency-Key` creates another deposit.',
    check: async (context) => expectOtherDeposit(await context.use(otherKeyCreation)),
  },
  {
    ...common,
    id: 'DEP-IDEM-08',
    title: 'Two keys that are used concurrently create two deposits, and repeating each key returns its own deposit.',
    check: async (context) => {
      const [first, second] = await context.use(depositPair);
      if (isSameId(first.id, second.id)) {
        throw new Violation(`a deposit other than ${first.id}`, String(second.id), second.exchange);
      }
      for (const secondCreation of await context.use(pairReplays)) {
        expectSuccess(secondCreation.exchange);
        expectOriginal(secondCreation);
      }
    },
  },
  ...replaysAfterCompletion.map(
    ([number, completion, replaySetup]): Clause => ({
      ...common,
      id: `DEP-IDEM-${number}`,
      // The specification leaves open how long a key is remembered; a service may forget it once the deposit is completed.
      level: 'inferred',
      title: `The original deposit is returned even if it has been ${completion} in the meantime.`,
      check: async (context) => expectOriginalIfShown(await context.use(replaySetup)),
    }),
  ),
  {
    ...common,
    id: 'DEP-IDEM-11',
    // The specification says "the same `Idempotency-Key`", but not whether keys that differ in case are the same.
    level: 'inferred',
    title: 'The same request with an `Idempotency-Key` that differs only in case creates another deposit.',
    check: async (context) => expectOtherDeposit(await context.use(upperCaseKeyCreation)),
  },
  {
    ...common,
    id: 'DEP-IDEM-12',
    quote: 'Response contains `authorization_url`.',
    title: 'The response to a repeated create request contains an `authorization_url`, too.',
    check: async (context) => {
      const { original, exchange } = await context.use(replay);
      if (nonEmptyString.matches(authorizationUrl(requireSuccess(exchange)))) return;
      const { status } = await readStatus(context, original);
      if (status !== 'pending') throw new Blocked('the deposit is no longer `pending`, so it may not need a URL');
      expectAuthorizationUrl(exchange);
    },
  },
  {
    ...common,
    id: 'DEP-IDEM-13',
    title: 'The original deposit is returned even if a part of it has been captured in the meantime.',
    check: async (context) => {
      const secondCreation = await context.use(replayAfterPartialCapture);
      const { status } = await context.use(statusAfter.capturedInPart);
      // A target may allow only one capture, and then the deposit is complete.
      if (status !== 'partially_captured') throw new Blocked('the deposit is not `partially_captured`');
      expectOriginalIfShown(secondCreation);
    },
  },
  {
    ...common,
    id: 'DEP-IDEM-15',
    level: 'inferred',
    title: 'The same request with a long `Idempotency-Key` that differs only at its end creates another deposit.',
    check: async (context) => expectOtherDeposit(await context.use(longKeyCreation)),
  },
  {
    ...common,
    id: 'DEP-IDEM-16',
    // The specification says nothing about another request with the key. That the key identifies one deposit is implied.
    level: 'inferred',
    title: 'Another request with a used `Idempotency-Key` is refused, or returns the original deposit.',
    check: async (context) => {
      const secondCreation = await context.use(usedKeyCreation);
      if (isClientError(secondCreation.exchange)) return;
      expectOriginalIfShown(secondCreation);
    },
  },
];
