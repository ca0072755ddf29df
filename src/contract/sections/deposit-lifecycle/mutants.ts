import type { InterceptedRequest, Interceptor, Json } from '../../mutation/interceptor.js';
import { accept, chain, onAnswer, onAny, onRecord, refuse } from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf } from '../../mutation/mutant.js';

const one = /^\/deposits\/[^/]+$/;

type Action = 'capture' | 'release';

const isOwner = ({ token }: InterceptedRequest): boolean => token === 'full';

const action = (name: Action): RegExp => new RegExp(`/${name}$`);

/** Records which deposits were captured in part. */
interface History {
  /** @param path path of the deposit, or of an action on it */
  readonly isInPart: (path: string) => boolean;
  readonly interceptor: Interceptor;
}

function history(): History {
  const inPart = new Set<string>();
  const depositOf = (path: string): string => path.replace(/\/(capture|release)$/, '');
  return {
    isInPart: (path) => inPart.has(depositOf(path)),
    interceptor: onAnswer('POST', action('capture'), (_answered, { path, body }) => {
      if (body['amount'] !== undefined) inPart.add(depositOf(path));
    }),
  };
}

/** History of a deposit: uncaptured, or captured in part. */
type Past = 'whole' | 'in part';

/** Refuses an action on deposits with some history. */
const refusing =
  (name: Action, past: Past | 'any', isSelected: (body: Json) => boolean = () => true): (() => Interceptor) =>
  () => {
    const { isInPart, interceptor } = history();
    const isPast = (path: string): boolean => past === 'any' || isInPart(path) === (past === 'in part');
    return chain(
      onAny(
        (request, { status }) =>
          action(name).test(request.path) &&
          isOwner(request) &&
          status < 300 &&
          isPast(request.path) &&
          isSelected(request.body),
        (response) => refuse(response),
      ),
      interceptor,
    );
  };

/** Shows other fields for deposits with some status and history. */
const showing =
  (status: string, past: Past | 'any', fields: Json): (() => Interceptor) =>
  () => {
    const { isInPart, interceptor } = history();
    return chain(
      onRecord('GET', one, (deposit, { path }) => {
        if (deposit['status'] !== status) return;
        if (past === 'any' || isInPart(path) === (past === 'in part')) Object.assign(deposit, fields);
      }),
      interceptor,
    );
  };

const showStatus = (status: string, past: Past | 'any', other: string): (() => Interceptor) =>
  showing(status, past, { status: other });

/** An action on a deposit also shows on the others of its booking. */
const applyToBooking =
  (name: Action, fields: Json): (() => Interceptor) =>
  () => {
    const bookings = new Map<string, unknown>();
    const actedOn = new Set<unknown>();
    return chain(
      onRecord(
        'POST',
        '/deposits',
        ({ id, booking_reference: booking }) => void bookings.set(`/deposits/${id}`, booking),
      ),
      onAnswer(
        'POST',
        action(name),
        (_answered, { path }) => void actedOn.add(bookings.get(path.replace(action(name), ''))),
      ),
      onRecord('GET', one, (deposit) => {
        if (deposit['status'] === 'authorized' && actedOn.has(deposit['booking_reference']))
          Object.assign(deposit, fields);
      }),
    );
  };

/** Mutants of deposit actions and statuses. */
export const depositLifeMutants: readonly Mutant[] = mutantsOf([
  [
    'DEP-CAPTURE-01',
    'A partial capture without a description is refused.',
    refusing('capture', 'any', ({ amount, description }) => amount !== undefined && description === undefined),
  ],
  [
    'DEP-CAPTURE-02',
    'A capture with a description is refused.',
    refusing('capture', 'any', ({ description }) => description !== undefined),
  ],
  [
    'DEP-CAPTURE-03',
    'A partially captured deposit is still `authorized`.',
    showStatus('partially_captured', 'any', 'authorized'),
  ],
  ['DEP-CAPTURE-04', 'The captured part is shown as 0.', showing('partially_captured', 'any', { captured_amount: 0 })],
  [
    'DEP-CAPTURE-05',
    'A deposit cannot be captured in one go.',
    refusing('capture', 'whole', ({ amount }) => amount === undefined),
  ],
  [
    'DEP-CAPTURE-06',
    'A fully captured deposit is shown as partially captured.',
    showStatus('captured', 'whole', 'partially_captured'),
  ],
  ['DEP-CAPTURE-07', 'A deposit that was captured is called released.', showStatus('captured', 'whole', 'released')],
  [
    'DEP-CAPTURE-08',
    'The rest cannot be captured.',
    refusing('capture', 'in part', ({ amount }) => amount === undefined),
  ],
  [
    'DEP-CAPTURE-09',
    'A deposit is shown as partially captured after the rest was captured.',
    showStatus('captured', 'in part', 'partially_captured'),
  ],
  [
    'DEP-CAPTURE-10',
    'After a full capture, only half is shown as captured.',
    showing('captured', 'whole', { captured_amount: 75.38 }),
  ],
  [
    'DEP-CAPTURE-11',
    'After the rest was captured, only the first part is shown as captured.',
    showing('captured', 'in part', { captured_amount: 50.25 }),
  ],
  [
    'DEP-CAPTURE-12',
    'A partial capture captures the whole deposit.',
    showStatus('partially_captured', 'any', 'captured'),
  ],
  [
    'DEP-CAPTURE-13',
    'A capture also captures from other deposits of the booking.',
    applyToBooking('capture', { status: 'partially_captured' }),
  ],
  [
    'DEP-CAPTURE-14',
    'Only the second of two captures is counted.',
    showing('partially_captured', 'any', { captured_amount: 20 }),
  ],
  [
    'DEP-CAPTURE-15',
    'The remaining amount does not change after a partial capture.',
    showing('partially_captured', 'any', { remaining_amount: 150.75 }),
  ],
  [
    'DEP-CAPTURE-16',
    'The remaining amount is not 0 after a full capture.',
    showing('captured', 'whole', { remaining_amount: 0.01 }),
  ],
  [
    'DEP-RELEASE-07',
    'The captured amount is 0 after the rest was released.',
    showing('released', 'in part', { captured_amount: 0 }),
  ],
  [
    'DEP-RELEASE-08',
    'The released amount is shown as captured.',
    showing('released', 'whole', { captured_amount: 150.75 }),
  ],
  [
    'DEP-RELEASE-09',
    'A release also releases other deposits of the booking.',
    applyToBooking('release', { status: 'released' }),
  ],
  ['DEP-RELEASE-01', 'An authorized deposit cannot be released.', refusing('release', 'whole')],
  ['DEP-RELEASE-02', 'A released deposit is still authorized.', showStatus('released', 'whole', 'authorized')],
  ['DEP-RELEASE-03', 'A released deposit has the status `captured`.', showStatus('released', 'whole', 'captured')],
  ['DEP-RELEASE-04', 'The rest cannot be released after a partial capture.', refusing('release', 'in part')],
  [
    'DEP-RELEASE-05',
    'A deposit whose rest was released keeps its status.',
    showStatus('released', 'in part', 'partially_captured'),
  ],
  [
    'DEP-RELEASE-06',
    'A released deposit can be captured.',
    () =>
      onAny((request, { status }) => action('capture').test(request.path) && isOwner(request) && status >= 400, accept),
  ],
  ['DEP-STATE-01', 'A deposit stays pending when it is authorized.', showStatus('authorized', 'any', 'pending')],
  ['DEP-STATE-02', 'A deposit is held when its authorization has expired.', showStatus('expired', 'any', 'authorized')],
  ['DEP-STATE-03', 'A deposit is held when the card was declined.', showStatus('failed', 'any', 'authorized')],
]);
