import type { OperationId } from '../../../generated/billing-document.js';
import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import { type Clause, numberedId } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import { isClientError, isSuccess, recordsAt, requireSuccess } from '../../engine/expect.js';
import { formatExactJson, type JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { depositsOfBooking } from '../deposit-list/setups.js';
import { depositPath, depositRecordIn, depositsIn, newDeposit } from '../deposits/setups.js';
import { createdInvoice, invoicePath } from '../invoice-creation/setups.js';
import { overdueListWithNewInvoices } from '../invoice-detail/setups.js';
import { newLink, paidLink } from '../payment-links/setups.js';
import { linkPaymentLocation } from '../payments/setups.js';
import { expectRefused } from '../refusals.js';
import { successesSoFar } from '../responses.js';
import { depositThatMustNotChange, operationWithRequests } from './setups.js';

/** Finds the records in a response. For a list, throws Blocked unless the request succeeded. */
type RecordsIn = (exchange: Exchange) => readonly JsonObject[];

const recordsOfPage: RecordsIn = (exchange) => recordsAt(requireSuccess(exchange).json, 'data.data');
const recordsOfOverdueList: RecordsIn = (exchange) => recordsAt(requireSuccess(exchange).json, 'data');
const depositsOfPage: RecordsIn = (exchange) => depositsIn(exchange).records;
const recordOfDetail: RecordsIn = (exchange) => [depositRecordIn(exchange)];

/** Finds a record with a text of this run. The suite creates none for the other account. */
function recordOfRun({ session }: ClauseContext, records: readonly JsonObject[]): JsonObject | undefined {
  return records.find((record) => formatExactJson(record)?.toLowerCase().includes(session.runId));
}

/** Sends a GET request with the token of the other account. @throws Blocked if it is neither accepted nor refused */
async function getAsOtherAccount(context: ClauseContext, path: string): Promise<Exchange> {
  const exchange = await context.get(path, { token: 'otherAccount' });
  if (isSuccess(exchange) || isClientError(exchange)) return exchange;
  throw new Blocked(`GET ${path} failed with the token of the other account`, exchange);
}

/**
 * Checks that the token of the other account gets no record of this run from a read that shows one to the run's own token.
 * @throws Violation; Skip if the own token gets no such record
 */
async function expectHidden(
  context: ClauseContext,
  operation: OperationId,
  path: string,
  recordsIn: RecordsIn,
): Promise<void> {
  const showsRecord = (exchange: Exchange) => recordOfRun(context, recordsIn(exchange)) !== undefined;
  const isShown =
    successesSoFar(context, operation).some((exchange) => exchange.call.path === path && showsRecord(exchange)) ||
    showsRecord(requireSuccess(await context.get(path)));
  if (!isShown) throw new Skip({ missing: 'a record with a text of the suite', reason: `GET ${path} shows none` });
  const exchange = await getAsOtherAccount(context, path);
  const shown = recordOfRun(context, recordsIn(exchange));
  if (shown) throw new Violation('no record of another account', shown, exchange);
}

/**
 * Checks that an action on a record of this run is refused with the token of the other account.
 * @throws Violation; Skip if the other account has a record with the same id, which must not be changed
 */
async function expectActionRefused(context: ClauseContext, id: OperationId, recordPath: string): Promise<void> {
  const read = await getAsOtherAccount(context, recordPath);
  if (isSuccess(read) && !recordOfRun(context, recordOfDetail(read)))
    throw new Skip({
      missing: 'an id that only one account uses',
      reason: `the other account gets something else at ${recordPath}`,
    });
  const operation = operationWithRequests(id);
  const action = operation.path.slice(operation.path.lastIndexOf('/'));
  // A small amount, so that the deposit can still be released if the target captures it.
  const body = id === 'captureDeposit' ? { amount: 1 } : undefined;
  const exchange = await context.post(`${recordPath}${action}`, body, { token: 'otherAccount' });
  await expectRefused(context, exchange, operation.validRequest);
}

/** Checks one operation. @throws as `Check` does */
type OperationCheck = (context: ClauseContext, operation: OperationId) => Promise<void>;

/** For each operation on existing records: title of a clause, and its check. */
const isolationChecks: readonly (readonly [OperationId, title: string, check: OperationCheck])[] = [
  [
    'listInvoices',
    'The list of invoices shows no invoice of another account.',
    async (context, operation) => {
      await context.use(createdInvoice);
      await expectHidden(context, operation, '/invoices?per_page=100', recordsOfPage);
    },
  ],
  [
    'getInvoice',
    'The detail view shows no invoice of another account.',
    async (context, operation) =>
      expectHidden(context, operation, invoicePath((await context.use(createdInvoice)).record), recordOfDetail),
  ],
  [
    'listOverdueInvoices',
    'The overdue list shows no invoice of another account.',
    async (context, operation) => {
      await context.use(overdueListWithNewInvoices);
      await expectHidden(context, operation, '/invoices/overdue', recordsOfOverdueList);
    },
  ],
  [
    'sendInvoiceReminder',
    'A reminder for an invoice of another account is refused.',
    async (context, operation) => {
      const { record } = await context.use(createdInvoice);
      await expectActionRefused(context, operation, invoicePath(record));
    },
  ],
  [
    'listPaymentLinks',
    'The list of payment links shows no link of another account.',
    async (context, operation) => {
      await context.use(newLink);
      await expectHidden(context, operation, '/payment-links?per_page=100', recordsOfPage);
    },
  ],
  [
    'listPayments',
    'The list of payments shows no payment of another account, with and without a filter.',
    async (context, operation) => {
      await context.use(linkPaymentLocation);
      const { body } = await context.use(paidLink);
      const description = encodeURIComponent(String(body['description']));
      await expectHidden(context, operation, `/payments?description=${description}&per_page=100`, recordsOfPage);
      await expectHidden(context, operation, '/payments?per_page=100', recordsOfPage);
    },
  ],
  [
    'listDeposits',
    'The list of deposits shows no deposit of another account, with and without a filter.',
    async (context, operation) => {
      await context.use(depositsOfBooking);
      const reference = encodeURIComponent((await context.use(newDeposit)).reference);
      await expectHidden(context, operation, `/deposits?booking_reference=${reference}`, depositsOfPage);
      await expectHidden(context, operation, '/deposits?per_page=100', depositsOfPage);
    },
  ],
  [
    'getDeposit',
    'GET /deposits/{id} shows no deposit of another account.',
    async (context, operation) =>
      expectHidden(context, operation, depositPath(await context.use(newDeposit)), recordOfDetail),
  ],
  [
    'captureDeposit',
    'A capture of a deposit of another account is refused.',
    async (context, operation) =>
      expectActionRefused(context, operation, depositPath(await context.use(depositThatMustNotChange))),
  ],
  [
    'releaseDeposit',
    'A release of a deposit of another account is refused.',
    async (context, operation) =>
      expectActionRefused(context, operation, depositPath(await context.use(depositThatMustNotChange))),
  ],
];

/** Clauses which require that an account does not see or change the records of another. */
export const isolationClauses: readonly Clause[] = isolationChecks.map(
  ([operation, title, check], index): Clause => ({
    id: numberedId('AUTH-ISOLATION', index + 1),
    level: 'documented',
    operation,
    spec: 'What the service does',
    quote: 'The service is a JSON REST interface to a billing account.',
    title,
    check: (context) => check(context, operation),
  }),
);
