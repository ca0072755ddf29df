import type { OperationId } from '../../../generated/billing-document.js';
import { Skip, Violation } from '../../engine/check-errors.js';
import { type Clause, type Level, numberedId } from '../../engine/clause.js';
import type { Call, TokenKind } from '../../engine/exchange.js';
import {
  expectClientError,
  expectSuccess,
  isClientError,
  isSuccess,
  isTokenRefused,
  valueAt,
} from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type Operation, operations } from '../../engine/operations.js';
import type { ClauseContext } from '../../engine/session.js';
import type { TokenStyle } from '../../engine/token-styles.js';
import { newDeposit, postDeposit } from '../deposits/setups.js';
import { expectRefused, requireOperationWorks } from '../refusals.js';
import { accountClauses } from './account-clauses.js';
import { isolationClauses } from './isolation-clauses.js';
import { noEffectClauses } from './no-effect-clauses.js';
import {
  acceptedRequestMarker,
  type OperationRequests,
  operationRequests,
  operationWithRequests,
  otherScope,
  refusedRequestMarker,
  sendValidRequest,
  type TestedTokenKind,
} from './setups.js';
import { authenticationSource, operationName, scopeSentence, tokenSentence } from './sources.js';

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
  if (isClientError(exchange) && !isTokenRefused(exchange)) {
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

const statisticsRequests = operationWithRequests('getInvoiceStats');

/** Expects that a request for the statistics is refused. */
async function expectStatisticsRefused(
  context: ClauseContext,
  call: Pick<Call, 'token' | 'tokenStyle' | 'headers'>,
): Promise<void> {
  await expectRefused(context, await context.get('/invoices/stats', call), statisticsRequests.validRequest);
}

/**
 * Expects that a request without a token gets no data, at a path that the specification does not name but a target may
 * accept. The target may also redirect, or respond with a page.
 */
async function expectNoDataWithoutToken(context: ClauseContext, path: string): Promise<void> {
  await requireOperationWorks(context, statisticsRequests.id, statisticsRequests.validRequest);
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
        ...authenticationSource,
        id: numberedId(`AUTH-${topic}`, index + 1),
        operation: operation.id,
        quote,
        title: title(operation),
        check: async (context) =>
          expectRefused(
            context,
            await context.use(operation.requestWithToken[tokenKind(operation)]),
            operation.validRequest,
          ),
      }),
    ),
  ),
  // These come before the reads of lists in the clauses about refused requests, so that the clauses about all lists see
  // the records that a token with only one scope creates.
  ...operationRequests.map(
    (operation, index): Clause => ({
      ...authenticationSource,
      id: numberedId('AUTH-ADMITS', index + 1),
      operation: operation.id,
      quote: scopeSentence,
      title: `${operationName(operation)} is accepted with a token that has only \`billing.${operation.scope}\`.`,
      check: (context) => expectTokenAccepted(context, operation),
    }),
  ),
  ...noEffectClauses,
  ...accountClauses,
  ...isolationClauses,
  ...malformedTokens.map(
    ([number, level, title, tokenStyle]): Clause => ({
      ...authenticationSource,
      id: `AUTH-TOKEN-${number}`,
      level,
      operation: 'getInvoiceStats',
      title,
      check: async (context) => {
        // Servers log URLs. Without --write, the target may hold real records, whose token must not be in a log.
        if (tokenStyle === 'query' && !context.session.target.options.mayWrite) {
          throw new Skip({ missing: '--write', reason: 'a token in a URL may be kept in logs' });
        }
        await expectStatisticsRefused(context, { tokenStyle });
        if (tokenStyle === 'extended') await expectLinkCreationRefused(context, { tokenStyle });
      },
    }),
  ),
  ...valuesWithoutToken.map(
    ([number, title, authorization]): Clause => ({
      ...authenticationSource,
      id: `AUTH-TOKEN-${number}`,
      operation: 'getInvoiceStats',
      title,
      check: async (context) =>
        expectStatisticsRefused(context, { token: 'none', headers: { Authorization: authorization } }),
    }),
  ),
  {
    ...authenticationSource,
    id: 'AUTH-TOKEN-11',
    operation: 'getInvoiceStats',
    title: 'No data is returned without a token if the path ends with a slash.',
    check: (context) => expectNoDataWithoutToken(context, '/invoices/stats/'),
  },
  {
    ...authenticationSource,
    id: 'AUTH-TOKEN-13',
    operation: 'getInvoiceStats',
    title: 'No data is returned without a token if the path is in upper case or ends with `.json`.',
    check: async (context) => {
      for (const path of ['/INVOICES/STATS', '/invoices/stats.json']) await expectNoDataWithoutToken(context, path);
    },
  },
  ...refusedReplays.map(
    ([number, quote, title, token]): Clause => ({
      ...authenticationSource,
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
    ...authenticationSource,
    level: 'inferred',
    id: 'AUTH-HEADER-01',
    operation: 'getInvoiceStats',
    title: 'A token presented with a scheme other than `Bearer` is refused.',
    check: (context) => expectStatisticsRefused(context, { tokenStyle: 'other scheme' }),
  },
  {
    ...authenticationSource,
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
      await requireOperationWorks(context, statisticsRequests.id, statisticsRequests.validRequest);
    },
  },
  {
    ...authenticationSource,
    id: 'AUTH-HEADER-03',
    operation: null,
    quote:
      '3. A token is created by the account owner in the dashboard under the API tokens settings: a name is given, the scopes are selected, and the access token is shown once to be stored.',
    title: 'The account owner creates tokens in the dashboard, where each is shown once.',
    check: { untestable: 'the dashboard is for people, and not part of the API' },
  },
];
