import type { OperationId } from '../../../generated/billing-document.js';
import type { Check, Clause, Level } from '../../engine/clause.js';
import { expectClientError, expectSuccess, isClientError } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { Blocked, Skip, Violation } from '../../engine/verdict.js';
import type { Presentation } from '../../report/presentation.js';
import { filteredDeposits, statusOf } from '../deposits/setups.js';
import { findRow } from '../paging/setups.js';
import { type Access, access, heldDeposit, type RequestToken, refusedText } from './setups.js';

const tokenSentence =
  '1. Every endpoint requires an OAuth 2.0 bearer token in the header `Authorization: Bearer <ACCESS_TOKEN>`.';
const scopeSentence =
  '2. Scopes: `billing.read` for all GET endpoints; `billing.write` for all POST endpoints (invoice creation, reminders, payment-link creation, deposit creation, capture and release).';

const common = { level: 'documented', spec: 'Authentication', quote: tokenSentence } as const;

/** Name of an operation in titles: `POST /invoices`. */
const nameOf = ({ operation }: Access): string => `${operation.method} ${operation.path}`;

/** Token with only the scope that is not needed. */
const otherThan = { read: 'write', write: 'read' } as const;

/** Tokens that every operation refuses. */
const rules: readonly {
  readonly topic: string;
  readonly quote: string;
  readonly title: (access: Access) => string;
  readonly tokenKind: (access: Access) => RequestToken;
}[] = [
  {
    topic: 'NOTOKEN',
    quote: tokenSentence,
    title: (one) => `${nameOf(one)} is refused without a token.`,
    tokenKind: () => 'none',
  },
  {
    topic: 'UNKNOWN',
    quote: tokenSentence,
    title: (one) => `${nameOf(one)} is refused with a token that was never issued.`,
    tokenKind: () => 'unknown',
  },
  {
    topic: 'SCOPE',
    quote: scopeSentence,
    title: (one) => `${nameOf(one)} is refused with a token that lacks \`billing.${one.operation.scope}\`.`,
    tokenKind: ({ operation }) => otherThan[operation.scope],
  },
];

/** Tokens that an operation must refuse. */
const unauthorizedTokens = ({ operation }: Access): readonly RequestToken[] => [
  'none',
  'unknown',
  otherThan[operation.scope],
];

/**
 * Sends a request with every token that must be refused.
 * @throws Blocked if one is accepted, which other clauses report
 */
async function requireRefusals(context: ClauseContext, id: OperationId): Promise<void> {
  for (const one of access.filter(({ operation }) => operation.id === id)) {
    const [first, ...others] = unauthorizedTokens(one).map((tokenKind) => one.requestBy[tokenKind]);
    const answers = [first && (await context.use(first))];
    for (const other of others) answers.push(await ifPossible(context.use(other)));
    if (!answers.every((answer) => answer === undefined || isClientError(answer))) {
      throw new Blocked(`${nameOf(one)} was not refused without permission`);
    }
  }
}

/** @throws Violation if a list contains a record whose creation was refused */
function unlisted(id: OperationId, path: string, field: string): Check {
  return async (context) => {
    await requireRefusals(context, id);
    const found = await findRow(context, path, (row) => row[field] === refusedText(context));
    if (typeof found === 'object') {
      throw new Violation('no refused record in the list', refusedText(context), found.page);
    }
  };
}

async function noDeposit(context: ClauseContext): Promise<void> {
  await requireRefusals(context, 'createDeposit');
  const { page, rows } = await filteredDeposits(context, { booking_reference: refusedText(context) });
  const made = rows.find((row) => row['booking_reference'] === refusedText(context));
  if (made) throw new Violation('no deposit of a refused booking', made, page);
}

/** The deposit after unauthorized requests to change it. */
const depositAfterRefusals = setup('the deposit after what was refused', async (context) => {
  const deposit = await context.use(heldDeposit);
  for (const id of ['captureDeposit', 'releaseDeposit'] as const) await requireRefusals(context, id);
  return statusOf(context, deposit, (status) => status === 'authorized');
});

const stillHeld =
  (...wrong: readonly string[]): Check =>
  async (context) => {
    const { status, page } = await context.use(depositAfterRefusals);
    if (wrong.some((one) => one === status)) {
      throw new Violation('the deposit to be still `authorized`', status, page);
    }
  };

/** Refused requests change nothing, as far as that is visible. */
const unchanged: readonly (readonly [number: string, OperationId, title: string, check: Check])[] = [
  [
    '01',
    'createInvoice',
    'A request without a valid token and scope does not create an invoice.',
    unlisted('createInvoice', '/invoices', 'reference'),
  ],
  [
    '02',
    'createPaymentLink',
    'A request without a valid token and scope does not create a payment link.',
    unlisted('createPaymentLink', '/payment-links', 'description'),
  ],
  ['03', 'createDeposit', 'A request without a valid token and scope does not create a deposit.', noDeposit],
  [
    '04',
    'captureDeposit',
    'A request without a valid token and scope does not capture a deposit.',
    stillHeld('captured', 'partially_captured'),
  ],
  [
    '05',
    'releaseDeposit',
    'A request without a valid token and scope does not release a deposit.',
    stillHeld('released'),
  ],
];

/**
 * Tokens that are almost right, or in another place: "Every endpoint requires an OAuth 2.0 bearer token in the header
 * `Authorization: Bearer <ACCESS_TOKEN>`." Clauses that the quote does not settle are inferred.
 */
const malformedTokens: readonly (readonly [number: string, level: Level, title: string, how: Presentation])[] = [
  ['01', 'documented', 'A token without its last character is refused.', 'cut short'],
  ['02', 'documented', 'A token with more characters at its end is refused.', 'extended'],
  ['03', 'inferred', 'A token whose letters are in the other case is refused.', 'other case'],
  ['04', 'inferred', 'A token followed by another word is refused.', 'followed by a word'],
  ['05', 'inferred', 'A token without the word `Bearer` before it is refused.', 'without a scheme'],
  ['06', 'inferred', 'A token presented as the user name of the scheme `Basic` is refused.', 'user name'],
  ['07', 'documented', 'A token in the query is refused: it must be in the header.', 'query'],
  ['08', 'documented', 'A token in a cookie, or in another header than `Authorization`, is refused.', 'other headers'],
];

/** Authentication and scopes. */
export const authenticationClauses: readonly Clause[] = [
  ...rules.flatMap(({ topic, quote, title, tokenKind }) =>
    access.map(
      (one, index): Clause => ({
        ...common,
        id: `AUTH-${topic}-${String(index + 1).padStart(2, '0')}`,
        operation: one.operation.id,
        quote,
        title: title(one),
        check: async (context) => expectClientError(await context.use(one.requestBy[tokenKind(one)])),
      }),
    ),
  ),
  ...unchanged.map(
    ([number, operation, title, check]): Clause => ({
      ...common,
      id: `AUTH-UNCHANGED-${number}`,
      operation,
      quote: scopeSentence,
      title,
      check,
    }),
  ),
  ...access.map(
    (one, index): Clause => ({
      ...common,
      id: `AUTH-ADMITS-${String(index + 1).padStart(2, '0')}`,
      operation: one.operation.id,
      quote: scopeSentence,
      title: `${nameOf(one)} is accepted with a token that has only \`billing.${one.operation.scope}\`.`,
      check: async (context) => expectSuccess(await context.use(one.requestBy[one.operation.scope])),
    }),
  ),
  ...malformedTokens.map(
    ([number, level, title, presented]): Clause => ({
      ...common,
      id: `AUTH-TOKEN-${number}`,
      level,
      operation: 'getInvoiceStats',
      title,
      check: async (context) => {
        // URLs are logged, where a real token must not appear.
        if (presented === 'query' && !context.session.target.options.mayWrite) {
          throw new Skip('--write', 'a token in a URL may be kept in logs');
        }
        expectClientError(await context.get('/invoices/stats', { presented }));
      },
    }),
  ),
  {
    ...common,
    level: 'inferred',
    id: 'AUTH-HEADER-01',
    operation: 'getInvoiceStats',
    title: 'A token presented with another scheme than `Bearer` is refused.',
    check: async (context) => expectClientError(await context.get('/invoices/stats', { presented: 'other scheme' })),
  },
  {
    ...common,
    id: 'AUTH-HEADER-02',
    operation: 'getInvoiceStats',
    quote: scopeSentence,
    title: 'A token without a scope is refused.',
    check: async (context) => expectClientError(await context.get('/invoices/stats', { token: 'scopeless' })),
  },
  {
    ...common,
    id: 'AUTH-HEADER-03',
    operation: null,
    quote:
      '3. A token is created by the account owner in the dashboard under the API tokens settings: a name is given, the scopes are selected, and the access token is shown once to be stored.',
    title: 'The account owner creates tokens in the dashboard, where each is shown once.',
    check: { untestable: 'the dashboard is for people, and not part of the API' },
  },
];
