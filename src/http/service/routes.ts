import type { OperationId } from '../../generated/billing-document.js';
import { memberOf, parseJson } from '../../lib/json.js';
import type { BodyOf, QueryOf } from '../../openapi/document.js';
import type { Account } from '../../simulation/account.js';
import type { Accounts } from '../../simulation/accounts.js';
import {
  captureDeposit,
  createDeposit,
  getDeposit,
  listDeposits,
  readDepositFields,
  releaseDeposit,
} from '../../simulation/operations/deposits.js';
import { runOnce } from '../../simulation/operations/idempotency.js';
import {
  createInvoice,
  getInvoice,
  getInvoiceStats,
  listOverdueInvoices,
  sendInvoiceReminder,
} from '../../simulation/operations/invoices.js';
import { createPaymentLink } from '../../simulation/operations/payment-links.js';
import { listPayments } from '../../simulation/operations/payments.js';
import { scenarioNamedBy, scenariosOf } from '../../simulation/scenarios/triggered-runs.js';
import { createPager } from './pagination.js';
import { type Headers, headerText, type ResponseData, success } from './response.js';
import { encodeAmount, type Views } from './views.js';

/** A valid request to one operation. */
interface ValidRequest<Id extends OperationId> {
  readonly account: Account;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  /** Path parameter; empty for operations without one. */
  readonly id: number | string;
  readonly idempotencyKey: string | undefined;
  /** Success status of the operation under the account's profile. */
  readonly status: number;
}

export type Routes = { readonly [Id in OperationId]: (request: ValidRequest<Id>) => ResponseData<string | Buffer> };

/** The handlers of the operations of the service. */
export function createRoutes(views: Views, accounts: Accounts): Routes {
  const respondWithPage = createPager();

  /** Replaces the deposit in a stored response with its current state. */
  const withCurrentState = (account: Account, responseData: ResponseData): ResponseData => {
    const id = memberOf(memberOf(parseJson(responseData.body), 'data'), 'id');
    if (typeof id !== 'number' && typeof id !== 'string') throw new Error('a stored response has no deposit id');
    return success(responseData.status, views.createdDeposit(account, getDeposit(account, id)));
  };

  return {
    listInvoices: ({ account, query }) =>
      respondWithPage(account, {
        query,
        list: (page) => account.invoices.page(page),
        view: (invoice) => views.invoiceListItem(account, invoice),
        alwaysHasLastPageField: true,
      }),

    getInvoice: ({ account, id }) => success(200, views.invoiceDetail(account, getInvoice(account, id))),

    getInvoiceStats: ({ account }) => success(200, JSON.stringify(views.statistics(account, getInvoiceStats(account)))),

    listOverdueInvoices: ({ account }) => {
      const { invoices, outstanding } = listOverdueInvoices(account);
      const body = {
        success: true,
        count: invoices.length,
        total_outstanding: encodeAmount(account, outstanding, account.record.currency),
        currency: account.record.currency,
        data: invoices.map((invoice) => views.overdueInvoice(account, invoice)),
      };
      return { status: 200, body: JSON.stringify(body) };
    },

    createInvoice: ({ account, body, status }) => {
      const invoiceJson = views.invoiceListItem(account, createInvoice(account, body));
      const envelope = `{"success":true,"message":"Invoice created successfully","data":${invoiceJson}}`;
      return { status, body: envelope };
    },

    sendInvoiceReminder: ({ account, id, status }) => {
      sendInvoiceReminder(account, id);
      return { status, body: '{"success":true,"message":"Invoice reminder sent successfully"}' };
    },

    createPaymentLink: ({ account, body, status }) =>
      success(status, views.createdPaymentLink(account, createPaymentLink(account, body, accounts))),

    listPaymentLinks: ({ account, query }) =>
      respondWithPage(account, {
        query,
        list: (page) => account.paymentLinks.page(page),
        view: (link) => views.paymentLinkListItem(account, link),
      }),

    listPayments: ({ account, query }) =>
      respondWithPage(account, {
        query,
        list: (page) => listPayments(account, page, query),
        view: (payment) => views.payment(account, payment),
      }),

    createDeposit: ({ account, body, idempotencyKey, status }) => {
      const fields = readDepositFields(account, body);
      const headers = scenarioHint(account, fields);
      const create = () => success(status, views.createdDeposit(account, createDeposit(account, fields)));
      if (idempotencyKey === undefined) return { headers, ...create() };
      const request = { operation: 'createDeposit', key: idempotencyKey, input: fields };
      const { isReplay, ...responseData } = runOnce(account, request, create);
      // The choice `present` means the present state of the deposit.
      const showsCurrentState = isReplay && account.profile['deposit.replay-body'] === 'present';
      return { headers, ...(showsCurrentState ? withCurrentState(account, responseData) : responseData) };
    },

    listDeposits: ({ account, query }) =>
      respondWithPage(account, {
        query,
        list: (page) => listDeposits(account, page, query),
        view: (deposit) => views.deposit(account, deposit),
      }),

    getDeposit: ({ account, id }) => success(200, views.deposit(account, getDeposit(account, id))),

    captureDeposit: ({ account, id, body, status }) =>
      success(status, views.deposit(account, captureDeposit(account, id, body))),

    releaseDeposit: ({ account, id, status }) => success(status, views.deposit(account, releaseDeposit(account, id))),
  };
}

/**
 * The hint for a deposit whose metadata names an unknown scenario. This is not an error, since metadata may contain
 * anything.
 */
function scenarioHint(account: Account, deposit: { readonly metadata: Readonly<Record<string, unknown>> }): Headers {
  const name = scenarioNamedBy(deposit);
  if (name === undefined) return {};
  const scenarioNames = scenariosOf(account)
    .filter((scenario) => scenario.for === 'deposit')
    .map(({ name }) => name);
  if (scenarioNames.includes(name)) return {};
  return {
    'X-Sim-Hint': headerText(
      `no scenario for deposits is called ${name}; known scenarios: ${scenarioNames.join(', ')}`,
    ),
  };
}
