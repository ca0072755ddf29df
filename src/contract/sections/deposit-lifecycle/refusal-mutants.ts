import type { JsonObject } from '../../engine/json.js';
import type { InterceptedRequest, Interceptor } from '../../mutation/interceptor.js';
import {
  combine,
  hasFullToken,
  isRefused,
  onData,
  onResponse,
  replaceWithSuccess,
} from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { heldAmount } from '../deposits/setups.js';
import { type Action, depositDetailPath, depositPathOf } from './mutants.js';
import { concurrentCapturesReference } from './refused-actions.js';
import { firstCaptureAmount } from './setups.js';

/** Selects requests by the path of the deposit and the body. */
type Selection = (depositPath: string, body: JsonObject) => boolean;

/** True for a selected request for an action, with the token that has both scopes. */
const isAction = (action: Action, request: InterceptedRequest, isSelected: Selection): boolean =>
  request.path.endsWith(`/${action}`) && hasFullToken(request) && isSelected(depositPathOf(request), request.body);

/** Accepts selected actions that the simulator refuses. */
const acceptAction = (action: Action, isSelected: Selection): Interceptor =>
  onResponse((request, response) => isRefused(response) && isAction(action, request, isSelected), replaceWithSuccess);

/** Once the simulator has refused a selected action, overwrites these fields wherever the deposit is read. */
function showAfterRefused(action: Action, isSelected: Selection, fields: JsonObject): Interceptor {
  const changedPaths = new Set<string>();
  return combine(
    onResponse(
      (request, response) => isRefused(response) && isAction(action, request, isSelected),
      (_response, request) => changedPaths.add(depositPathOf(request)),
    ),
    onData('GET', depositDetailPath, (deposit, { path }) => {
      if (changedPaths.has(path)) Object.assign(deposit, fields);
    }),
  );
}

/** Performs selected actions that the simulator refuses: accepts them, and shows these fields afterwards. */
const performRefused = (action: Action, isSelected: Selection, fields: JsonObject): Interceptor =>
  // In this order, since `acceptAction` replaces the refusal.
  combine(showAfterRefused(action, isSelected, fields), acceptAction(action, isSelected));

/** Passes a predicate to `create`: true if the last response about a deposit showed it in a status. */
function withStatuses(create: (hasStatus: (path: string, status: string) => boolean) => Interceptor): Interceptor {
  const statuses = new Map<string, unknown>();
  return combine(
    create((path, status) => statuses.get(path) === status),
    // The response to a repeated create request shows the initial status, which must not replace a later one.
    onData('POST', '/deposits', ({ id, status }) => {
      const path = `/deposits/${id}`;
      if (!statuses.has(path)) statuses.set(path, status);
    }),
    onData('GET', depositDetailPath, ({ status }, { path }) => void statuses.set(path, status)),
  );
}

/** Accepts an action on deposits with this status. */
const acceptInStatus = (action: Action, status: string) => (): Interceptor =>
  withStatuses((hasStatus) => acceptAction(action, (path) => hasStatus(path, status)));

const twiceTheHeldAmountCaptured = { status: 'captured', captured_amount: 2 * heldAmount };

/** Lets a deposit that was captured in full be captured again. */
const captureAgain = (isSelected: (body: JsonObject) => boolean) => (): Interceptor =>
  withStatuses((hasStatus) =>
    performRefused(
      'capture',
      (path, body) => hasStatus(path, 'captured') && isSelected(body),
      twiceTheHeldAmountCaptured,
    ),
  );

/** Accepts the second of two concurrent captures. */
function captureConcurrently(): Interceptor {
  const paths = new Set<string>();
  return combine(
    onData('POST', '/deposits', ({ id, booking_reference }) => {
      if (String(booking_reference).endsWith(concurrentCapturesReference)) paths.add(`/deposits/${id}`);
    }),
    performRefused('capture', (path) => paths.has(path), twiceTheHeldAmountCaptured),
  );
}

const hasAmount =
  (isSelected: (amount: unknown) => boolean): Selection =>
  (_path, { amount }) =>
    isSelected(amount);
const isZero = hasAmount((amount) => amount === 0);
const isWholeAmount = hasAmount((amount) => amount === heldAmount);
const isExcessive = hasAmount((amount) => Number(amount) > heldAmount);

/** Mutants for the clauses about refused captures and releases: they accept such an action, or perform it anyway. */
export const depositRefusalMutants: readonly MutantRow[] = [
  [
    'DEP-CAPTURE-23',
    'A capture whose amount is not a number is accepted.',
    acceptAction(
      'capture',
      hasAmount((amount) => typeof amount === 'string'),
    ),
  ],
  [
    'DEP-CAPTURE-24',
    'A capture of a negative amount is accepted.',
    acceptAction(
      'capture',
      hasAmount((amount) => Number(amount) < 0),
    ),
  ],
  [
    'DEP-CAPTURE-25',
    'A capture of 0 captures the whole deposit.',
    () => performRefused('capture', isZero, { status: 'captured', captured_amount: heldAmount }),
  ],
  [
    'DEP-CAPTURE-26',
    'A deposit can be captured in excess of its amount.',
    () => performRefused('capture', isExcessive, twiceTheHeldAmountCaptured),
  ],
  [
    'DEP-CAPTURE-36',
    'After a partial capture, the whole amount of a deposit can be captured again.',
    () =>
      performRefused('capture', isWholeAmount, {
        status: 'captured',
        captured_amount: firstCaptureAmount + heldAmount,
      }),
  ],
  [
    'DEP-CAPTURE-27',
    'A capture of more than is held is refused, but captures what is held.',
    () => showAfterRefused('capture', isExcessive, { status: 'captured', captured_amount: heldAmount }),
  ],
  ['DEP-CAPTURE-28', 'A deposit can be captured before it is authorized.', acceptInStatus('capture', 'pending')],
  ['DEP-CAPTURE-29', 'A deposit can be captured although the card was declined.', acceptInStatus('capture', 'failed')],
  ['DEP-CAPTURE-30', 'A deposit can be captured after it has expired.', acceptInStatus('capture', 'expired')],
  [
    'DEP-CAPTURE-33',
    'A deposit that was captured without an amount can be captured again.',
    captureAgain(({ amount }) => amount === undefined),
  ],
  [
    'DEP-CAPTURE-34',
    'A part of a deposit that was captured without an amount can be captured again.',
    captureAgain(({ amount }) => amount !== undefined),
  ],
  ['DEP-CAPTURE-35', 'Two concurrent captures capture a deposit twice.', captureConcurrently],
  [
    'DEP-RELEASE-13',
    'A deposit that was captured in full can be released.',
    () =>
      withStatuses((hasStatus) =>
        performRefused('release', (path) => hasStatus(path, 'captured'), { status: 'released' }),
      ),
  ],
  ['DEP-RELEASE-10', 'A deposit can be released after it has expired.', acceptInStatus('release', 'expired')],
  [
    'DEP-STATE-04',
    'The release of an expired deposit is refused, but makes it `released`.',
    () =>
      withStatuses((hasStatus) =>
        showAfterRefused('release', (path) => hasStatus(path, 'expired'), { status: 'released' }),
      ),
  ],
];
