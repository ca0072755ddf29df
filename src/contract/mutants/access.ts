import { type Operation, operations } from '../operations.js';
import { type Mutant, mutantsOf, numbered, type Row } from './mutant.js';
import type { Answered, Asked, Patch } from './patch.js';
import { accept, inTurn, onAny, onList, onRecord, refuse } from './patches.js';

/** An operation, by whose place in the document its clauses are numbered. */
export interface Meant {
  readonly number: number;
  readonly name: string;
  readonly scope: Operation['scope'];
  readonly isMeant: (asked: Asked) => boolean;
}

export const everyOperation: readonly Meant[] = operations.map(({ method, path, scope }, index) => {
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '\\d+')}$`);
  return {
    number: index + 1,
    name: `${method} ${path}`,
    scope,
    isMeant: (asked) => asked.method === method && pattern.test(asked.path),
  };
});

/** A mutant for each operation. */
export function forEvery(topic: string, title: (name: string) => string, patch: (meant: Meant) => Patch): Mutant[] {
  return mutantsOf(
    everyOperation.map((meant): Row => [numbered(topic, meant.number), title(meant.name), () => patch(meant)]),
  );
}

const otherThan = { read: 'write', write: 'read' } as const;

export const isRefused = ({ status }: Answered): boolean => status >= 400;
const isStranger = ({ token }: Asked): boolean => token !== 'full';

/** A list that shows a record that was refused for want of a right. */
function keeping(path: string, field: string): Patch {
  let text: unknown;
  return inTurn(
    onAny(
      (asked, answered) => asked.method === 'POST' && asked.path === path && isStranger(asked) && isRefused(answered),
      (_answered, { body }) => {
        text = body[field];
      },
    ),
    onList(path, (rows) => (text === undefined ? rows : [...rows, { id: 1, [field]: text }])),
  );
}

/** A deposit that is acted on all the same when that was refused to a stranger. */
function obeying(action: string, status: string): Patch {
  let path: string | undefined;
  return inTurn(
    onAny(
      (asked, answered) => asked.path.endsWith(action) && isStranger(asked) && isRefused(answered),
      (_answered, asked) => {
        path = asked.path.replace(action, '');
      },
    ),
    onRecord('GET', /^\/deposits\/\d+$/, (deposit, asked) => {
      if (asked.path === path) Object.assign(deposit, { status });
    }),
  );
}

/** What a target may do wrong with tokens. */
export const accessMutants: readonly Mutant[] = [
  ...forEvery(
    'AUTH-NOTOKEN',
    (name) => `${name} is carried out without a token.`,
    ({ isMeant }) => onAny((asked) => isMeant(asked) && asked.token === 'none', accept),
  ),
  ...forEvery(
    'AUTH-UNKNOWN',
    (name) => `${name} is carried out with a token that was never given out.`,
    ({ isMeant }) => onAny((asked) => isMeant(asked) && asked.token === 'unknown', accept),
  ),
  ...forEvery(
    'AUTH-SCOPE',
    (name) => `${name} is carried out whatever the scope of the token.`,
    ({ isMeant, scope }) => onAny((asked) => isMeant(asked) && asked.token === otherThan[scope], accept),
  ),
  ...forEvery(
    'AUTH-ADMITS',
    (name) => `${name} is refused unless the token has both scopes.`,
    ({ isMeant, scope }) =>
      onAny(
        (asked, answered) => isMeant(asked) && asked.token === scope && !isRefused(answered),
        (answered) => refuse(answered, 403),
      ),
  ),
  ...mutantsOf([
    [
      'AUTH-UNCHANGED-01',
      'An invoice is created all the same when a stranger is refused.',
      () => keeping('/invoices', 'reference'),
    ],
    [
      'AUTH-UNCHANGED-02',
      'A payment link is created all the same when a stranger is refused.',
      () => keeping('/payment-links', 'description'),
    ],
    [
      'AUTH-UNCHANGED-03',
      'A deposit is created all the same when a stranger is refused.',
      () => keeping('/deposits', 'booking_reference'),
    ],
    [
      'AUTH-UNCHANGED-04',
      'A deposit is captured all the same when a stranger is refused.',
      () => obeying('/capture', 'captured'),
    ],
    [
      'AUTH-UNCHANGED-05',
      'A deposit is released all the same when a stranger is refused.',
      () => obeying('/release', 'released'),
    ],
    [
      'AUTH-HEADER-01',
      'A token counts by whatever scheme it is presented.',
      () => onAny(({ headers: { authorization = '' } }) => authorization.startsWith('Basic'), accept),
    ],
    [
      'AUTH-HEADER-02',
      'A token without a scope may do anything.',
      () => onAny(({ token }) => token === 'scopeless', accept),
    ],
  ]),
];
