import type { InterceptedRequest, Interceptor, Json } from '../../mutation/interceptor.js';
import { accept, inTurn, onAnswer, onAny, onRecord, refuse } from '../../mutation/interceptors.js';
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
    return inTurn(
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
    return inTurn(
      onRecord('GET', one, (deposit, { path }) => {
        if (deposit['status'] !== status) return;
        if (past === 'any' || isInPart(path) === (past === 'in part')) Object.assign(deposit, fields);
      }),
      interceptor,
    );
  };

const calling = (status: string, past: Past | 'any', other: string): (() => Interceptor) =>
  showing(status, past, { status: other });

/** An action on a deposit also shows on the others of its booking. */
const spreading =
  (name: Action, fields: Json): (() => Interceptor) =>
  () => {
    const bookings = new Map<string, unknown>();
    const actedOn = new Set<unknown>();
    return inTurn(
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
    'No part can be captured without a reason.',
    refusing('capture', 'any', ({ amount, description }) => amount !== undefined && description === undefined),
  ],
  [
    'DEP-CAPTURE-02',
    'No reason can be given for a capture.',
    refusing('capture', 'any', ({ description }) => description !== undefined),
  ],
  [
    'DEP-CAPTURE-03',
    'A deposit of which a part was captured is `authorized` still.',
    calling('partially_captured', 'any', 'authorized'),
  ],
  [
    'DEP-CAPTURE-04',
    'The part that was captured counts as nothing.',
    showing('partially_captured', 'any', { captured_amount: 0 }),
  ],
  [
    'DEP-CAPTURE-05',
    'All of a deposit cannot be captured at once.',
    refusing('capture', 'whole', ({ amount }) => amount === undefined),
  ],
  ['DEP-CAPTURE-06', 'Something is left after a capture of all.', calling('captured', 'whole', 'partially_captured')],
  ['DEP-CAPTURE-07', 'A deposit that was captured is called released.', calling('captured', 'whole', 'released')],
  [
    'DEP-CAPTURE-08',
    'What remains cannot be captured.',
    refusing('capture', 'in part', ({ amount }) => amount === undefined),
  ],
  [
    'DEP-CAPTURE-09',
    'Something is left after a capture of the rest.',
    calling('captured', 'in part', 'partially_captured'),
  ],
  [
    'DEP-CAPTURE-10',
    'After a capture of all, half of it counts as captured.',
    showing('captured', 'whole', { captured_amount: 75.38 }),
  ],
  [
    'DEP-CAPTURE-11',
    'After a capture of the rest, the first part alone counts as captured.',
    showing('captured', 'in part', { captured_amount: 50.25 }),
  ],
  [
    'DEP-CAPTURE-12',
    'With a part of it, all of a deposit is captured.',
    calling('partially_captured', 'any', 'captured'),
  ],
  [
    'DEP-CAPTURE-13',
    'With a deposit, a part of each is captured that is of the same booking.',
    spreading('capture', { status: 'partially_captured' }),
  ],
  [
    'DEP-CAPTURE-14',
    'Of two parts that were captured, the second alone counts.',
    showing('partially_captured', 'any', { captured_amount: 20 }),
  ],
  [
    'DEP-CAPTURE-15',
    'All of a deposit remains after a capture of a part.',
    showing('partially_captured', 'any', { remaining_amount: 150.75 }),
  ],
  [
    'DEP-CAPTURE-16',
    'Something remains after a capture of all.',
    showing('captured', 'whole', { remaining_amount: 0.01 }),
  ],
  [
    'DEP-RELEASE-07',
    'What was captured counts as nothing once the rest is released.',
    showing('released', 'in part', { captured_amount: 0 }),
  ],
  [
    'DEP-RELEASE-08',
    'What was released counts as captured.',
    showing('released', 'whole', { captured_amount: 150.75 }),
  ],
  [
    'DEP-RELEASE-09',
    'With a deposit, each is released that is of the same booking.',
    spreading('release', { status: 'released' }),
  ],
  ['DEP-RELEASE-01', 'What is held cannot be released.', refusing('release', 'whole')],
  ['DEP-RELEASE-02', 'What was released is held still.', calling('released', 'whole', 'authorized')],
  ['DEP-RELEASE-03', 'What was released is called captured.', calling('released', 'whole', 'captured')],
  ['DEP-RELEASE-04', 'What remains cannot be released.', refusing('release', 'in part')],
  [
    'DEP-RELEASE-05',
    'A deposit whose rest was released keeps its status.',
    calling('released', 'in part', 'partially_captured'),
  ],
  [
    'DEP-RELEASE-06',
    'What was released can be captured.',
    () =>
      onAny((request, { status }) => action('capture').test(request.path) && isOwner(request) && status >= 400, accept),
  ],
  ['DEP-STATE-01', 'A deposit stays pending when it is authorized.', calling('authorized', 'any', 'pending')],
  ['DEP-STATE-02', 'A deposit is held when its authorization has expired.', calling('expired', 'any', 'authorized')],
  ['DEP-STATE-03', 'A deposit is held when the card was declined.', calling('failed', 'any', 'authorized')],
]);
