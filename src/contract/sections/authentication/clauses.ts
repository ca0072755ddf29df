import type { OperationId } from '../../../generated/billing-document.js';
import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import { type Check, type Clause, type Level, numberedId } from '../../engine/clause.js';
import type { Call, TokenKind } from '../../engine/exchange.js';
import { expectClientError, expectSuccess, isClientError, isSuccess, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type Operation, operations } from '../../engine/operations.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import type { TokenStyle } from '../../engine/token-styles.js';
import { filteredDeposits, newDeposit, postDeposit, waitForStatus } from '../deposits/setups.js';
import { findInList, isFound } from '../paging/setups.js';
import { accountClauses } from './account-clauses.js';
import {
  acceptedRequestMarker,
  depositThatMustNotChange,
  type OperationRequests,
  operationRequests,
  operationWithRequests,
  otherScope,
  refusedRequestMarker,
  sendValidRequest,
  type TestedTokenKind,
} from './setups.js';

const tokenSentence =
  '1. Every endpoint requires an OAuth 2.0 bearer token in the header `Authorization: Bearer <ACCESS_TOKEN>`.';
const scopeSentence =
  '2. Scopes: `billing.read` for all GET endpoints; `billing.write` for all POST endpoints (invoice creation, reminders, payment-link creation, deposit creation, capture and release).';

const common = { level: 'documented', spec: 'Authentication', quote: tokenSentence } as const;

/** Name of an operation in titles: `POST /invoices`. */
const operationName = ({ method, path }: Operation): string => `${method} ${path}`;

/** Rules that each yield one clause per operation: requests with a token of `tokenKind` must be refused. */
const unauthorizedRequestRules: readonly {
  /** Middle part of the clause ids: `AUTH-NOTOKEN-01`. */
  readonly topic: string;
  readonly quote: string;
  readonly title: (operation: Operation) => string;
  readonly tokenKind: (operation: Operation) => TestedTokenKind;
}[] = [
  {
    topic: 'NOTOKEN',
    quote: tokenSentence,
    title: (operation) => `${operationName(operation)} is refused without a token.`,
    tokenKind: () => 'none',
  },
  {
    topic: 'UNKNOWN',
    quote: tokenSentence,
    title: (operation) => `${operationName(operation)} is refused with a token that was never issued.`,
    tokenKind: () => 'unknown',
  },
  {
    topic: 'SCOPE',
    quote: scopeSentence,
    title: (operation) =>
      `${operationName(operation)} is refused with a token that lacks \`billing.${operation.scope}\`.`,
    tokenKind: ({ scope }) => otherScope[scope],
  },
];

/**
 * Sends the requests for an operation with the tokens that it must refuse, except tokens that the run does not have.
 * @throws Blocked if one of these requests is not refused, which other clauses report as a violation
 */
async function requireUnauthorizedRequestsRefused(context: ClauseContext, id: OperationId): Promise<void> {
  const operation = operationWithRequests(id);
  const { requestWithToken, scope } = operation;
  const responses = [await context.use(requestWithToken.none)];
  // The other requests are left out if the run lacks their tokens.
  for (const request of [requestWithToken.unknown, requestWithToken[otherScope[scope]]]) {
    const response = await ifPossible(context.use(request));
    if (response) responses.push(response);
  }
  if (!responses.every(isClientError))
    throw new Blocked(`${operationName(operation)} was not refused without a valid token and scope`);
}

/**
 * Creates a check that a list contains no record whose creation was refused.
 * @param field field of the records that would contain `refusedRequestMarker`
 */
function notListedCheck(id: OperationId, path: string, field: string): Check {
  return async (context) => {
    await requireUnauthorizedRequestsRefused(context, id);
    const found = await findInList(context, path, (record) => record[field] === refusedRequestMarker(context));
    // `absent` passes, and so does `unknown`, although the record may be on a page that was not read.
    if (isFound(found)) {
      throw new Violation('no record of a refused request in the list', refusedRequestMarker(context), found.exchange);
    }
  };
}

async function expectNoRefusedDeposit(context: ClauseContext): Promise<void> {
  await requireUnauthorizedRequestsRefused(context, 'createDeposit');
  const { page, records } = await filteredDeposits(context, { booking_reference: refusedRequestMarker(context) });
  const unexpected = records.find((record) => record['booking_reference'] === refusedRequestMarker(context));
  if (unexpected) throw new Violation('no deposit of a refused request', unexpected, page);
}

/** Reads the held deposit after unauthorized requests to capture and release it. */
const statusAfterRefusedRequests = setup('the deposit after refused requests', async (context) => {
  const deposit = await context.use(depositThatMustNotChange);
  for (const id of ['captureDeposit', 'releaseDeposit'] as const) await requireUnauthorizedRequestsRefused(context, id);
  return waitForStatus(context, deposit, (status) => status === 'authorized');
});

/**
 * Creates a check that refused requests had no effect on the deposit.
 * @param wrongStatuses statuses that would show an effect
 */
const stillHeldCheck =
  (...wrongStatuses: readonly string[]): Check =>
  async (context) => {
    const { status, exchange } = await context.use(statusAfterRefusedRequests);
    if (wrongStatuses.some((wrongStatus) => wrongStatus === status)) {
      throw new Violation('the deposit to still be `authorized`', status, exchange);
    }
  };

/** For each read that shows how many records exist, the operation that creates such a record. */
const creationsBeforeReads: Partial<Record<OperationId, OperationId>> = {
  listInvoices: 'createInvoice',
  getInvoiceStats: 'createInvoice',
  listPaymentLinks: 'createPaymentLink',
  listDeposits: 'createDeposit',
};

/**
 * Expects that a request is accepted with a token that has only the scope of its operation.
 * @throws Violation if it is refused; Skip if it is also refused with both scopes, so the scope is not the reason
 */
async function expectTokenAccepted(context: ClauseContext, operation: OperationRequests): Promise<void> {
  // The record of the write-only token comes first, so that the clauses about a list see whether the list for the read-only
  // token is up to date.
  const creation = creationsBeforeReads[operation.id];
  if (creation) await context.runIfPossible(operationWithRequests(creation).requestWithToken.write);
  const exchange = await context.use(operation.requestWithToken[operation.scope]);
  if (isClientError(exchange) && exchange.status !== 401 && exchange.status !== 403) {
    const repeated = await sendValidRequest(context, operation, {}, acceptedRequestMarker(context));
    if (isClientError(repeated)) {
      throw new Skip({
        missing: 'a request that the target accepts',
        reason: `the token with both scopes gets ${repeated.status} as well`,
      });
    }
  }
  expectSuccess(exchange);
}

/** Expects that a request to create a payment link is refused. Does nothing if the run may not write. */
async function expectLinkCreationRefused(
  context: ClauseContext,
  call: Pick<Call, 'token' | 'tokenStyle'>,
): Promise<void> {
  const body = { description: refusedRequestMarker(context), amount: 12.5, currency: 'EUR' };
  const exchange = await ifPossible(context.post('/payment-links', body, call));
  if (exchange) expectClientError(exchange);
}

/**
 * Expects that a request without a token gets no data, at a path that the specification does not name but a target may
 * accept. The target may also redirect, or respond with a page.
 */
async function expectNoDataWithoutToken(context: ClauseContext, path: string): Promise<void> {
  const exchange = await context.get(path, { token: 'none' });
  if (isSuccess(exchange) && valueAt(exchange.json, 'success') === true)
    throw new Violation('no data', exchange.text, exchange);
}

/** Operations called with a token that has no scope: one or two for each kind of record. */
const idsTriedWithoutScope: readonly OperationId[] = [
  'getInvoiceStats',
  'listPaymentLinks',
  'listPayments',
  'listDeposits',
  'createInvoice',
  'createPaymentLink',
  'createDeposit',
];

/** Reads come first, so that the clause is skipped before it tries to write if the run has no such token. */
const operationsTriedWithoutScope = operations
  .filter(({ id }) => idsTriedWithoutScope.includes(id))
  .sort((a, b) => a.method.localeCompare(b.method));

/** Clauses stating that a refused request has no effect, for the operations whose effects can be observed. */
const noEffectChecks: readonly (readonly [number: string, OperationId, title: string, check: Check])[] = [
  [
    '01',
    'createInvoice',
    'A request without a valid token and scope does not create an invoice.',
    notListedCheck('createInvoice', '/invoices', 'reference'),
  ],
  [
    '02',
    'createPaymentLink',
    'A request without a valid token and scope does not create a payment link.',
    notListedCheck('createPaymentLink', '/payment-links', 'description'),
  ],
  [
    '03',
    'createDeposit',
    'A request without a valid token and scope does not create a deposit.',
    expectNoRefusedDeposit,
  ],
  [
    '04',
    'captureDeposit',
    'A request without a valid token and scope does not capture a deposit.',
    stillHeldCheck('captured', 'partially_captured'),
  ],
  [
    '05',
    'releaseDeposit',
    'A request without a valid token and scope does not release a deposit.',
    stillHeldCheck('released'),
  ],
];

/**
 * Ways of presenting a token that must be refused, because the token is altered or in the wrong place. The level is
 * `inferred` where the specification only suggests that the request is refused.
 */
const malformedTokens: readonly (readonly [number: string, level: Level, title: string, tokenStyle: TokenStyle])[] = [
  ['01', 'documented', 'A token without its last character is refused.', 'cut short'],
  ['02', 'documented', 'A token with extra characters at its end is refused.', 'extended'],
  ['03', 'inferred', 'A token with the case of its letters swapped is refused.', 'other case'],
  ['04', 'inferred', 'A token followed by another word is refused.', 'followed by a word'],
  ['05', 'inferred', 'A token without the word `Bearer` before it is refused.', 'without a scheme'],
  ['06', 'inferred', 'A token sent as the user name of `Basic` authentication is refused.', 'user name'],
  ['07', 'documented', 'A token in the query is refused: it must be in the header.', 'query'],
  ['08', 'documented', 'A token in a cookie, or in a header other than `Authorization`, is refused.', 'other headers'],
];

/** Values of the `Authorization` header that clients with a bug send if they have no token. */
const valuesWithoutToken: readonly (readonly [number: string, title: string, authorization: string])[] = [
  ['09', 'The word `Bearer` without a token is refused.', 'Bearer '],
  ['10', 'The word `undefined` in place of a token is refused.', 'Bearer undefined'],
  ['12', 'The word `null` in place of a token is refused.', 'Bearer null'],
];

/**
 * Tokens with which a repeated create request must be refused. A faulty service may look up the `Idempotency-Key`, and
 * return the stored response, before it checks the token.
 */
const refusedReplays: readonly (readonly [number: string, quote: string, title: string, token: TokenKind])[] = [
  ['01', tokenSentence, 'Repeating a create request with its `Idempotency-Key` also requires a token.', 'none'],
  [
    '03',
    tokenSentence,
    'Repeating a create request with its `Idempotency-Key` also requires a known token.',
    'unknown',
  ],
  ['02', scopeSentence, 'Repeating a create request with its `Idempotency-Key` also requires `billing.write`.', 'read'],
];

/** Authentication and scopes. */
export const authenticationClauses: readonly Clause[] = [
  ...unauthorizedRequestRules.flatMap(({ topic, quote, title, tokenKind }) =>
    operationRequests.map(
      (operation, index): Clause => ({
        ...common,
        id: numberedId(`AUTH-${topic}`, index + 1),
        operation: operation.id,
        quote,
        title: title(operation),
        check: async (context) =>
          expectClientError(await context.use(operation.requestWithToken[tokenKind(operation)])),
      }),
    ),
  ),
  // These come before the reads of lists in the clauses about refused requests, so that the clauses about all lists see
  // the records that a token with only one scope creates.
  ...operationRequests.map(
    (operation, index): Clause => ({
      ...common,
      id: numberedId('AUTH-ADMITS', index + 1),
      operation: operation.id,
      quote: scopeSentence,
      title: `${operationName(operation)} is accepted with a token that has only \`billing.${operation.scope}\`.`,
      check: (context) => expectTokenAccepted(context, operation),
    }),
  ),
  ...noEffectChecks.map(
    ([number, operation, title, check]): Clause => ({
      ...common,
      id: `AUTH-UNCHANGED-${number}`,
      operation,
      quote: scopeSentence,
      title,
      check,
    }),
  ),
  ...accountClauses,
  ...malformedTokens.map(
    ([number, level, title, tokenStyle]): Clause => ({
      ...common,
      id: `AUTH-TOKEN-${number}`,
      level,
      operation: 'getInvoiceStats',
      title,
      check: async (context) => {
        // Servers log URLs. Without --write, the target may hold real records, whose token must not be in a log.
        if (tokenStyle === 'query' && !context.session.target.options.mayWrite) {
          throw new Skip({ missing: '--write', reason: 'a token in a URL may be kept in logs' });
        }
        expectClientError(await context.get('/invoices/stats', { tokenStyle }));
        if (tokenStyle === 'extended') await expectLinkCreationRefused(context, { tokenStyle });
      },
    }),
  ),
  ...valuesWithoutToken.map(
    ([number, title, authorization]): Clause => ({
      ...common,
      id: `AUTH-TOKEN-${number}`,
      operation: 'getInvoiceStats',
      title,
      check: async (context) =>
        expectClientError(
          await context.get('/invoices/stats', { token: 'none', headers: { Authorization: authorization } }),
        ),
    }),
  ),
  {
    ...common,
    id: 'AUTH-TOKEN-11',
    operation: 'getInvoiceStats',
    title: 'No data is returned without a token if the path ends with a slash.',
    check: (context) => expectNoDataWithoutToken(context, '/invoices/stats/'),
  },
  {
    ...common,
    id: 'AUTH-TOKEN-13',
    operation: 'getInvoiceStats',
    title: 'No data is returned without a token if the path is in upper case or ends with `.json`.',
    check: async (context) => {
      for (const path of ['/INVOICES/STATS', '/invoices/stats.json']) await expectNoDataWithoutToken(context, path);
    },
  },
  ...refusedReplays.map(
    ([number, quote, title, token]): Clause => ({
      ...common,
      id: `AUTH-REPLAY-${number}`,
      operation: 'createDeposit',
      quote,
      title,
      check: async (context) => {
        const { key, body } = await context.use(newDeposit);
        expectClientError(await postDeposit(context, key, body, { token }));
      },
    }),
  ),
  {
    ...common,
    level: 'inferred',
    id: 'AUTH-HEADER-01',
    operation: 'getInvoiceStats',
    title: 'A token presented with a scheme other than `Bearer` is refused.',
    check: async (context) => expectClientError(await context.get('/invoices/stats', { tokenStyle: 'other scheme' })),
  },
  {
    ...common,
    id: 'AUTH-HEADER-02',
    operation: 'getInvoiceStats',
    quote: scopeSentence,
    title: 'A token without a scope is refused.',
    check: async (context) => {
      for (const operation of operationsTriedWithoutScope) {
        const request = sendValidRequest(context, operation, { token: 'scopeless' }, refusedRequestMarker(context));
        // The run may lack the permission to write, or a customer for an invoice.
        const exchange = operation.method === 'GET' ? await request : await ifPossible(request);
        if (exchange) expectClientError(exchange);
      }
    },
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
