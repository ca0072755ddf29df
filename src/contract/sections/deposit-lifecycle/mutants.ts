import type { JsonObject } from '../../engine/json.js';
import type { InterceptedRequest, Interceptor } from '../../mutation/interceptor.js';
import {
  combine,
  fieldSetter,
  hasFullToken,
  isRefused,
  onData,
  onResponse,
  onSuccess,
  replaceWithError,
  replaceWithSuccess,
  setUnusedId,
} from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { heldAmount } from '../deposits/setups.js';
import { firstCaptureAmount, remainderAmount } from './setups.js';
import { secondCaptureAmount } from './two-deposits.js';

export const depositDetailPath = /^\/deposits\/[^/]+$/;

export type Action = 'capture' | 'release';

const setAuthorized = fieldSetter({ status: 'authorized' });

const actionPath = (action: Action): RegExp => new RegExp(`/${action}$`);

/** Path of the deposit on which a request performs an action. */
export const depositPathOf = ({ path }: InterceptedRequest): string => path.replace(/\/(capture|release)$/, '');

/** Selects deposits by the bodies of the captures that have succeeded so far. */
const captureHistories = {
  any: () => true,
  'no partial capture': (captures) => captures.every(({ amount }) => amount === undefined),
  'partial capture': (captures) => captures.some(({ amount }) => amount !== undefined),
  'two captures': (captures) => captures.length === 2,
  'capture of what remained': (captures) => captures.some(({ amount }) => amount === remainderAmount),
} satisfies Readonly<Record<string, (captures: readonly JsonObject[]) => boolean>>;
type CaptureHistory = keyof typeof captureHistories;

/** Creates an interceptor that knows which deposits have a capture history. */
function withCaptureHistory(
  history: CaptureHistory,
  create: (hasHistory: (request: InterceptedRequest) => boolean) => Interceptor,
): Interceptor {
  const captures = new Map<string, JsonObject[]>();
  return combine(
    create((request) => captureHistories[history](captures.get(depositPathOf(request)) ?? [])),
    onSuccess('POST', actionPath('capture'), (_response, request) => {
      const path = depositPathOf(request);
      captures.set(path, [...(captures.get(path) ?? []), request.body]);
    }),
  );
}

/**
 * Refuses an action on deposits that have this capture history, if `matchesBody` accepts the body of the request.
 * Ignores requests without the full token, since they belong to clauses about scopes.
 */
const refuseAction =
  (action: Action, history: CaptureHistory, matchesBody: (body: JsonObject) => boolean = () => true) =>
  (): Interceptor =>
    withCaptureHistory(history, (hasHistory) =>
      onResponse(
        (request, { status }) =>
          actionPath(action).test(request.path) &&
          hasFullToken(request) &&
          status < 300 &&
          hasHistory(request) &&
          matchesBody(request.body),
        (response) => replaceWithError(response),
      ),
    );

/** Replaces fields of deposits that have this status and capture history. */
const showFields = (status: string, history: CaptureHistory, fields: JsonObject) => (): Interceptor =>
  withCaptureHistory(history, (hasHistory) =>
    onData('GET', depositDetailPath, (deposit, request) => {
      if (deposit['status'] === status && hasHistory(request)) Object.assign(deposit, fields);
    }),
  );

/** Shows another status for deposits that have this status and capture history. */
const showStatus = (status: string, history: CaptureHistory, shownStatus: string): (() => Interceptor) =>
  showFields(status, history, { status: shownStatus });

/** Replaces fields of authorized deposits once an action has been performed on another deposit of the same booking. */
const applyToBooking =
  (action: Action, fields: JsonObject): (() => Interceptor) =>
  () => {
    const bookingByPath = new Map<string, unknown>();
    const changedBookings = new Set<unknown>();
    return combine(
      onData('POST', '/deposits', ({ id, booking_reference: booking }) => {
        bookingByPath.set(`/deposits/${id}`, booking);
      }),
      onSuccess('POST', actionPath(action), (_response, request) => {
        changedBookings.add(bookingByPath.get(depositPathOf(request)));
      }),
      onData('GET', depositDetailPath, (deposit) => {
        if (deposit['status'] === 'authorized' && changedBookings.has(deposit['booking_reference']))
          Object.assign(deposit, fields);
      }),
    );
  };

/** Refuses captures of deposits with a non-ASCII booking reference. */
function refuseNonAsciiCaptures(): Interceptor {
  const capturePaths = new Set<string>();
  return combine(
    onData('POST', '/deposits', ({ id, booking_reference: reference }) => {
      if (/[^ -~]/u.test(String(reference))) capturePaths.add(`/deposits/${id}/capture`);
    }),
    onResponse(
      ({ path }) => capturePaths.has(path),
      (response) => replaceWithError(response),
    ),
  );
}

/**
 * Mutants for the clauses about captures, releases and statuses of deposits, and about the deposit that a response
 * shows (DEP-CAPTURE, DEP-RELEASE, DEP-STATE, DEP-READ-06).
 */
export const depositLifecycleMutants: readonly MutantRow[] = [
  [
    'DEP-CAPTURE-01',
    'A partial capture without a description is refused.',
    refuseAction('capture', 'any', ({ amount, description }) => amount !== undefined && description === undefined),
  ],
  [
    'DEP-CAPTURE-02',
    'A capture with a description is refused.',
    refuseAction('capture', 'any', ({ description }) => description !== undefined),
  ],
  [
    'DEP-CAPTURE-03',
    'A partially captured deposit is still `authorized`.',
    showStatus('partially_captured', 'any', 'authorized'),
  ],
  [
    'DEP-CAPTURE-04',
    'The captured part is shown as 0.',
    showFields('partially_captured', 'any', { captured_amount: 0 }),
  ],
  [
    'DEP-CAPTURE-05',
    'A deposit cannot be captured in full.',
    refuseAction('capture', 'no partial capture', ({ amount }) => amount === undefined),
  ],
  [
    'DEP-CAPTURE-06',
    'A fully captured deposit is shown as partially captured.',
    showStatus('captured', 'no partial capture', 'partially_captured'),
  ],
  [
    'DEP-CAPTURE-07',
    'A captured deposit has the status `released`.',
    showStatus('captured', 'no partial capture', 'released'),
  ],
  [
    'DEP-CAPTURE-08',
    'The remaining amount cannot be captured by leaving out the amount.',
    refuseAction('capture', 'partial capture', ({ amount }) => amount === undefined),
  ],
  [
    'DEP-CAPTURE-09',
    'A deposit is shown as released after its remaining amount was captured.',
    showStatus('captured', 'partial capture', 'released'),
  ],
  [
    'DEP-CAPTURE-37',
    'A deposit is shown as partially captured after its remaining amount was captured.',
    showStatus('captured', 'partial capture', 'partially_captured'),
  ],
  [
    'DEP-CAPTURE-38',
    'A captured deposit in dollars is still `authorized`.',
    onData(
      'GET',
      depositDetailPath,
      (deposit) => deposit['currency'] === 'USD' && deposit['status'] === 'captured' && setAuthorized(deposit),
    ),
  ],
  [
    'DEP-CAPTURE-10',
    'After a full capture, only half is shown as captured.',
    showFields('captured', 'no partial capture', { captured_amount: heldAmount / 2 }),
  ],
  [
    'DEP-CAPTURE-11',
    'After the remaining amount was captured, only the first part is shown as captured.',
    showFields('captured', 'partial capture', { captured_amount: firstCaptureAmount }),
  ],
  [
    'DEP-CAPTURE-12',
    'A partial capture captures the whole deposit.',
    showFields('partially_captured', 'any', { status: 'captured', captured_amount: heldAmount, remaining_amount: 0 }),
  ],
  [
    'DEP-CAPTURE-13',
    'A capture also captures from other deposits of the booking.',
    applyToBooking('capture', { status: 'partially_captured' }),
  ],
  [
    'DEP-CAPTURE-14',
    'Only the second of two captures is counted.',
    showFields('partially_captured', 'any', { captured_amount: secondCaptureAmount }),
  ],
  [
    'DEP-CAPTURE-15',
    'The remaining amount does not change after a partial capture.',
    showFields('partially_captured', 'any', { remaining_amount: heldAmount }),
  ],
  [
    'DEP-CAPTURE-16',
    'The remaining amount is not 0 after a full capture.',
    showFields('captured', 'no partial capture', { remaining_amount: 0.01 }),
  ],
  ['DEP-CAPTURE-17', 'A deposit whose booking reference is not ASCII cannot be captured.', refuseNonAsciiCaptures],
  [
    'DEP-CAPTURE-18',
    'A capture that requests exactly the amount that remains is refused.',
    refuseAction('capture', 'partial capture', ({ amount }) => amount === remainderAmount),
  ],
  [
    'DEP-CAPTURE-19',
    'A deposit is shown as partially captured after a capture of exactly the amount that remained.',
    showStatus('captured', 'capture of what remained', 'partially_captured'),
  ],
  [
    'DEP-CAPTURE-20',
    'Only the second of two captures is subtracted from the remaining amount.',
    showFields('partially_captured', 'any', { remaining_amount: heldAmount - secondCaptureAmount }),
  ],
  [
    'DEP-CAPTURE-21',
    'After a capture of exactly the amount that remained, only that amount is shown as captured.',
    showFields('captured', 'partial capture', { captured_amount: remainderAmount }),
  ],
  [
    'DEP-CAPTURE-22',
    'A deposit is shown as captured after a second partial capture.',
    showStatus('partially_captured', 'two captures', 'captured'),
  ],
  [
    'DEP-RELEASE-07',
    'The captured amount is 0 after the remaining amount was released.',
    showFields('released', 'partial capture', { captured_amount: 0 }),
  ],
  [
    'DEP-RELEASE-08',
    'The released amount is shown as captured.',
    showFields('released', 'no partial capture', { captured_amount: heldAmount }),
  ],
  [
    'DEP-RELEASE-09',
    'A release also releases other deposits of the booking.',
    applyToBooking('release', { status: 'released' }),
  ],
  ['DEP-RELEASE-01', 'An authorized deposit cannot be released.', refuseAction('release', 'no partial capture')],
  [
    'DEP-RELEASE-02',
    'A released deposit is still authorized.',
    showStatus('released', 'no partial capture', 'authorized'),
  ],
  [
    'DEP-RELEASE-03',
    'A released deposit has the status `captured`.',
    showStatus('released', 'no partial capture', 'captured'),
  ],
  [
    'DEP-RELEASE-04',
    'The remaining amount cannot be released after a partial capture.',
    refuseAction('release', 'partial capture'),
  ],
  [
    'DEP-RELEASE-05',
    'A deposit whose remaining amount was released keeps its status.',
    showStatus('released', 'partial capture', 'partially_captured'),
  ],
  [
    'DEP-RELEASE-06',
    'A capture is never refused, even after a release.',
    onResponse(
      (request, response) => actionPath('capture').test(request.path) && hasFullToken(request) && isRefused(response),
      replaceWithSuccess,
    ),
  ],
  [
    'DEP-STATE-01',
    'A deposit is still `pending` after the guest has authorized it.',
    showStatus('authorized', 'any', 'pending'),
  ],
  [
    'DEP-STATE-02',
    'A deposit is still `authorized` after its authorization has expired.',
    showStatus('expired', 'any', 'authorized'),
  ],
  [
    'DEP-STATE-03',
    'A deposit is `authorized` although the card was declined.',
    showStatus('failed', 'any', 'authorized'),
  ],
  [
    'DEP-READ-06',
    'With a token that only allows reading, a read returns a different deposit.',
    onData('GET', depositDetailPath, (deposit, { token }) => {
      if (token === 'read') setUnusedId(deposit);
    }),
    { runsAfter: 'AUTH-ADMITS-12' },
  ],
  [
    'DEP-CAPTURE-31',
    'The response to a capture shows a different deposit.',
    onData('POST', actionPath('capture'), setUnusedId),
  ],
  [
    'DEP-RELEASE-11',
    'The response to a release shows a different deposit.',
    onData('POST', actionPath('release'), setUnusedId),
  ],
  [
    'DEP-CAPTURE-32',
    'The response to a capture shows the deposit as `authorized`.',
    onData('POST', actionPath('capture'), fieldSetter({ status: 'authorized' })),
  ],
  [
    'DEP-RELEASE-12',
    'The response to a release shows the deposit as `authorized`.',
    onData('POST', actionPath('release'), fieldSetter({ status: 'authorized' })),
  ],
];
