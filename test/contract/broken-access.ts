import { operations } from '../../src/contract/operations.js';
import { accept, inTurn, onAny, refuse } from './invoice-patches.js';
import type { Answered, Asked, Patch } from './patched.js';
import { onAnswer, onList, onRecord } from './patches.js';

/** The operation of a clause, whose number is its place in the document. */
interface Meant {
  readonly number: string;
  readonly isMeant: (asked: Asked) => boolean;
}

const every: readonly Meant[] = operations.map(({ method, path }, index) => {
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '\\d+')}$`);
  return {
    number: String(index + 1).padStart(2, '0'),
    isMeant: (asked) => asked.method === method && pattern.test(asked.path),
  };
});

const bearerOf = ({ headers }: Asked): string => headers['authorization'] ?? '';
const isUnknown = (asked: Asked): boolean => bearerOf(asked).includes('never-given-out');

/** One patch for each operation. */
function forEvery(topic: string, patch: (meant: Meant) => Patch): Record<string, Patch> {
  return Object.fromEntries(every.map((meant) => [`${topic}-${meant.number}`, patch(meant)]));
}

const isRefused = ({ status }: Answered): boolean => status >= 400;

/** A list that shows a record that was refused for want of a right. */
function keeping(path: string, field: string): Patch {
  let text: unknown;
  return inTurn(
    onAny(
      (asked, answered) => asked.method === 'POST' && asked.path === path && isRefused(answered),
      (_answered, { body }) => {
        text = body[field];
      },
    ),
    onList(path, (rows) => [...rows, { id: 1, [field]: text }]),
  );
}

/** A deposit that is acted on all the same when that was refused. */
function obeying(action: string, status: string): Patch {
  let isDone = false;
  return inTurn(
    onAny(
      ({ path }, answered) => path.endsWith(action) && isRefused(answered),
      () => {
        isDone = true;
      },
    ),
    onRecord('GET', /^\/deposits\/\d+$/, (deposit) => void (isDone && Object.assign(deposit, { status }))),
  );
}

/** What a target may do wrong with tokens, by the clause that has to see it. */
export const brokenAccess: Readonly<Record<string, Patch>> = {
  ...forEvery('AUTH-NOTOKEN', ({ isMeant }) => onAny((asked) => isMeant(asked) && bearerOf(asked) === '', accept)),
  ...forEvery('AUTH-UNKNOWN', ({ isMeant }) => onAny((asked) => isMeant(asked) && isUnknown(asked), accept)),
  ...forEvery('AUTH-SCOPE', ({ isMeant }) =>
    onAny((asked, answered) => isMeant(asked) && answered.status === 403, accept),
  ),
  ...forEvery('AUTH-ADMITS', ({ isMeant }) =>
    onAny(
      (asked, answered) => isMeant(asked) && !isRefused(answered),
      (answered) => refuse(answered, 403),
    ),
  ),
  'AUTH-UNCHANGED-01': keeping('/invoices', 'reference'),
  'AUTH-UNCHANGED-02': keeping('/payment-links', 'description'),
  'AUTH-UNCHANGED-03': keeping('/deposits', 'booking_reference'),
  'AUTH-UNCHANGED-04': obeying('/capture', 'captured'),
  'AUTH-UNCHANGED-05': obeying('/release', 'released'),
  'AUTH-HEADER-01': onAny((asked) => bearerOf(asked).startsWith('Basic'), accept),
  'AUTH-HEADER-02': onAny((_asked, answered) => isRefused(answered), accept),
};

/** What a target may do wrong with what all answers have in common. */
export const brokenEnvelopes: Readonly<Record<string, Patch>> = {
  ...forEvery('ENV-SUCCESS', ({ isMeant }) =>
    onAny(
      (asked, answered) => isMeant(asked) && !isRefused(answered),
      ({ body }) => {
        body['success'] = 'true';
      },
    ),
  ),
  ...forEvery('ENV-ERROR', ({ isMeant }) =>
    onAny(
      (asked, answered) => isMeant(asked) && isRefused(answered),
      (answered) => {
        answered.body = { success: false, message: 'Not possible' };
      },
    ),
  ),
  ...Object.fromEntries(
    Object.entries(
      forEvery('ENV-DATA', ({ isMeant }) =>
        onAny(
          (asked, answered) => isMeant(asked) && !isRefused(answered),
          (answered) => {
            answered.body = { success: true, ...Object(answered.body['data']) };
          },
        ),
      ),
    ).filter(([id]) => ['02', '03', '04', '08', '11', '12'].some((number) => id.endsWith(number))),
  ),
  'ENV-MESSAGE-01': onAnswer('GET', '/invoices', ({ body }) => void Object.assign(body, { message: ['Done'] })),
  'ENV-ERRORS-01': onAny(
    (_asked, answered) => answered.body['errors'] !== undefined,
    ({ body }) => void Object.assign(body, { errors: Object.values(Object(body['errors'])).flat() }),
  ),
  'ENV-JSON-01': onAnswer('GET', '/invoices', (answered) => {
    answered.text = '<p>No invoices</p>';
  }),
  'ENV-JSON-02': onAnswer(
    'GET',
    '/invoices',
    ({ headers }) => void Object.assign(headers, { 'content-type': 'text/plain' }),
  ),
};
