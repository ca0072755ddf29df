import { randomBytes } from 'node:crypto';
import type { OperationId } from '../../../generated/billing-document.js';
import { isRecord } from '../../../lib/json.js';
import type { Call, Exchange } from '../../engine/exchange.js';
import { isSuccess, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type Operation, operationOf, operations } from '../../engine/operations.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import { depositAfterInvalidCaptures } from '../deposit-lifecycle/refused-actions.js';
import { secondDepositAfterRelease } from '../deposit-lifecycle/two-deposits.js';
import { authorizeAsGuest } from '../deposits/guest.js';
import {
  createDeposit,
  type Deposit,
  depositBody,
  depositPath,
  newDeposit,
  requireCreatedDeposit,
} from '../deposits/setups.js';
import { idOfInvoice, invoiceBody, invoicePath, minimalInvoice, someInvoice } from '../invoice-creation/setups.js';
import { smallPageSize } from '../paging/pages.js';
import { successesSoFar } from '../responses.js';

/** For each scope, the other one. */
export const otherScope = { read: 'write', write: 'read' } as const;

/** Creates a setup for a deposit that the driver has authorized. */
function authorizedDeposit(purpose: string): Setup<Deposit> {
  return setup(`a new deposit ${purpose}`, async (context) => {
    context.requireDriverMethod('authorizeDeposit');
    return authorizeAsGuest(context, await createDeposit(context, purpose));
  });
}

/**
 * A deposit whose whole amount stays held, since all requests to change it must be refused: those with a wrong token, and in
 * a calibration a capture of more than that amount.
 */
export const depositThatMustNotChange = authorizedDeposit('that must not change');
/** An authorized deposit that valid requests may capture: that of another setup if it is still `authorized`. */
const depositToCapture = setup('a new or reused deposit to capture', async (context) => {
  const untouched = await ifPossible(context.use(secondDepositAfterRelease));
  return untouched?.status === 'authorized' ? untouched.deposit : context.use(newDepositToCapture);
});
const newDepositToCapture = authorizedDeposit('to capture');
/**
 * An authorized deposit that valid requests may release. It is not `depositToCapture`, because the specification does
 * not say whether a deposit can be released after a capture. That of another setup is reused if it is still `authorized`.
 */
const depositToRelease = setup('a new or reused deposit to release', async (context) => {
  const notCaptured = await ifPossible(context.use(depositAfterInvalidCaptures));
  return notCaptured?.status === 'authorized' ? notCaptured.deposit : context.use(newDepositToRelease);
});
const newDepositToRelease = authorizedDeposit('to release');
/** The deposits that `validRequest` changes. It leaves those above to the tokens with only one scope. */
const depositForValidCapture = authorizedDeposit('for a valid capture');
const depositForValidRelease = authorizedDeposit('for a valid release');

/** For each operation on a deposit, a function that returns the deposit that its valid request creates or changes. */
export const depositOfAcceptedRequest = {
  createDeposit: (context: ClauseContext, exchange: Exchange): Promise<Deposit> =>
    requireCreatedDeposit(context, {
      exchange,
      reference: acceptedRequestMarker(context),
      key: exchange.call.headers?.['Idempotency-Key'] ?? '',
      body: isRecord(exchange.call.body) ? exchange.call.body : {},
      sentAt: Date.now(),
    }),
  captureDeposit: (context: ClauseContext): Promise<Deposit> => context.use(depositToCapture),
  releaseDeposit: (context: ClauseContext): Promise<Deposit> => context.use(depositToRelease),
} as const satisfies Partial<Record<OperationId, unknown>>;

/**
 * Text in the records that requests with a wrong token try to create. No record on the target may contain it. It is
 * short, because the specification does not say how long texts may be.
 */
export const refusedRequestMarker = (context: ClauseContext): string => context.withRunPrefix('refused');

/** Text in the records that valid requests with a token of only one scope create. */
export const acceptedRequestMarker = (context: ClauseContext): string => context.withRunPrefix('scope');

/** Text in the records of `validRequest`. */
const validRequestMarker = (context: ClauseContext): string => context.withRunPrefix('valid');

/**
 * For each operation, a function that builds a valid request. A record that the request creates gets the given text as
 * its reference or description, so that it can be found. The URLs of most reads are ones that other clauses request with
 * the token with both scopes: a target may cache these responses, and send them again without checking the token.
 */
const requestFactories: Record<OperationId, (context: ClauseContext, text: string) => Promise<Omit<Call, 'method'>>> = {
  listInvoices: async () => ({ path: `/invoices?per_page=${smallPageSize}` }),
  createInvoice: async (context, reference) => ({ path: '/invoices', body: await invoiceBody(context, { reference }) }),
  getInvoice: async (context, text) => ({ path: `/invoices/${await idOfInvoiceToRead(context, text)}` }),
  getInvoiceStats: async () => ({ path: '/invoices/stats' }),
  listOverdueInvoices: async () => ({ path: '/invoices/overdue' }),
  sendInvoiceReminder: async (context) => ({
    path: `${invoicePath((await context.use(minimalInvoice)).record)}/reminder`,
  }),
  createPaymentLink: async (_context, description) => ({
    path: '/payment-links',
    body: { description, amount: 12.5, currency: 'EUR' },
  }),
  listPaymentLinks: async () => ({ path: `/payment-links?per_page=${smallPageSize}` }),
  // With a filter, because a filtered list needs the scope as well. The page is long enough to show whether the filter
  // is also applied for a token with only one scope.
  listPayments: async () => ({ path: '/payments?per_page=100&status=paid' }),
  createDeposit: async (context, reference) => ({
    path: '/deposits',
    body: depositBody(reference),
    headers: { 'Idempotency-Key': `${context.session.prefix}-${randomBytes(4).toString('hex')}` },
  }),
  listDeposits: async () => ({ path: '/deposits?per_page=1' }),
  getDeposit: async (context, text) => ({ path: await pathOfDepositToRead(context, text) }),
  captureDeposit: async (context, text) => ({
    path: `${await pathOfDepositToChange(context, text, depositToCapture, depositForValidCapture)}/capture`,
    body: {},
  }),
  releaseDeposit: async (context, text) => ({
    path: `${await pathOfDepositToChange(context, text, depositToRelease, depositForValidRelease)}/release`,
  }),
};

/**
 * Returns the id of the invoice that a request reads. A valid request gets one that was paid after an earlier request had read
 * it, if there is one: only such an invoice shows whether the response is up to date.
 */
async function idOfInvoiceToRead(context: ClauseContext, text: string): Promise<unknown> {
  const unpaidReads = successesSoFar(context, 'getInvoice')
    .map(({ json }) => valueAt(json, 'data'))
    .filter((invoice) => valueAt(invoice, 'status') !== 'paid');
  const markedPaid = context.session.driverCalls.find(
    ({ method, hasSucceeded, record }) =>
      method === 'markInvoicePaid' &&
      hasSucceeded &&
      unpaidReads.some((invoice) => valueAt(invoice, 'id') === record?.['id']),
  );
  const isValid = text === acceptedRequestMarker(context);
  return (isValid ? markedPaid?.record?.['id'] : undefined) ?? idOfInvoice(await context.use(someInvoice));
}

/**
 * Returns the path of the deposit that a request reads. A valid request gets the one that a write-only token has
 * captured, if there is one: only such a deposit shows whether the capture had an effect.
 */
async function pathOfDepositToRead(context: ClauseContext, text: string): Promise<string> {
  const capture = context.session.sentRequests.findLast(
    ({ call, exchange }) =>
      call.token === 'write' && operationOf(call)?.id === 'captureDeposit' && exchange && isSuccess(exchange),
  );
  if (capture && text === acceptedRequestMarker(context)) return capture.call.path.replace(/\/capture$/, '');
  return depositPath(await context.use(newDeposit));
}

/**
 * Returns the path of the deposit that a request captures or releases. Requests that must be refused, which have
 * `refusedRequestMarker`, get a separate deposit: if it changes, one of them had an effect.
 * @param depositToChange for requests with a token of only one scope
 * @param depositForValidRequest for `validRequest`
 */
async function pathOfDepositToChange(
  context: ClauseContext,
  text: string,
  depositToChange: Setup<Deposit>,
  depositForValidRequest: Setup<Deposit>,
): Promise<string> {
  if (text === refusedRequestMarker(context)) return depositPath(await context.use(depositThatMustNotChange));
  const isValidRequest = text === validRequestMarker(context);
  return depositPath(await context.use(isValidRequest ? depositForValidRequest : depositToChange));
}

/**
 * Sends a request for an operation. It is valid unless `call` makes it invalid, for example with another token.
 * @param text goes into the record that the request creates. If it is one of the three markers, it also decides which
 *   record the request reads or changes
 */
export async function sendValidRequest(
  context: ClauseContext,
  { id, method }: Operation,
  call: Partial<Call>,
  text: string,
): Promise<Exchange> {
  return context.send({ ...(await requestFactories[id](context, text)), ...call, method });
}

/** Kinds of tokens to test every operation with. `unknown` was never issued; `read` and `write` have one scope. */
export type TestedTokenKind = 'none' | 'unknown' | 'read' | 'write';

/** Phrases for the names of setups. */
const tokenPhrases: Readonly<Record<TestedTokenKind, string>> = {
  none: 'without a token',
  unknown: 'with an unknown token',
  read: 'with a read-only token',
  write: 'with a write-only token',
};

/** An operation, and for each kind of token a setup that sends an otherwise valid request with such a token. */
export interface OperationRequests extends Operation {
  readonly requestWithToken: Readonly<Record<TestedTokenKind, Setup<Exchange>>>;
  /** Sends a valid request with the token with both scopes. */
  readonly validRequest: Setup<Exchange>;
}

/** All operations, in the order of the OpenAPI document. */
export const operationRequests: readonly OperationRequests[] = operations.map((operation) => {
  const requestWith = (token: TestedTokenKind): Setup<Exchange> =>
    setup(`${operation.id} ${tokenPhrases[token]}`, (context) =>
      sendValidRequest(
        context,
        operation,
        { token },
        // Only the token with the scope of the operation suffices; with the other three, the request must be refused.
        token === operation.scope ? acceptedRequestMarker(context) : refusedRequestMarker(context),
      ),
    );
  return {
    ...operation,
    requestWithToken: {
      none: requestWith('none'),
      unknown: requestWith('unknown'),
      read: requestWith('read'),
      write: requestWith('write'),
    },
    validRequest: setup(`a valid ${operation.id}`, (context) =>
      sendValidRequest(context, operation, {}, validRequestMarker(context)),
    ),
  };
});

/** Returns an operation with its requests. */
export function operationWithRequests(operationId: OperationId): OperationRequests {
  const found = operationRequests.find(({ id }) => id === operationId);
  if (!found) throw new Error(`unknown operation ${operationId}`);
  return found;
}
