import type { Request } from 'express';
import { type DescribeAction, ignoreDetails } from '../../../domain/activity.js';
import { formatInstant } from '../../../domain/dates.js';
import { integerOrText } from '../../../lib/integer-or-text.js';
import type { Account } from '../../../simulation/account.js';
import { activeFaultsOf } from '../../../simulation/faults/faults.js';
import type { ContractRuns } from '../../contract-runs.js';
import type { ControlRoutes } from '../../control/operations.js';
import type { ResponseData } from '../../service/response.js';
import type { Views } from '../../service/views.js';
import type { DashboardLocation } from '../components/dashboard-page.js';
import { findSection, type Section } from '../components/sections.js';
import { nextAgendaEntries } from './agenda-entries.js';

/** The request for a page, and the data that the page is built from. */
export interface PageContext {
  /** The account that the path names. */
  readonly account: Account;
  readonly location: DashboardLocation;
  /** Renders records as JSON, and builds their URLs. */
  readonly views: Views;
  /** The handlers of the control API, which pages call directly, without HTTP: `controlApi.listTokens(…)`. */
  readonly controlApi: ControlRoutes;
  /** Runs the contract suite in the background, for the Contract page. */
  readonly contractRuns: ContractRuns;
  readonly request: Request;
  /** The query parameters of the page, without `notice`, the id of the notice to show. */
  readonly query: URLSearchParams;
}

/** Returns the HTML of a page, or a complete response. @throws ServiceError if there is nothing to show */
export type PageHandler = (context: PageContext) => string | ResponseData | Promise<string | ResponseData>;

/**
 * The route of a page or a download: its path below the path of the account, and its handler. The `:idOrName` parameter
 * is the id of the row that the page shows, or the name of a snapshot, which has no id. A page that shows the result of
 * a form receives the form by POST, so that the input does not appear in a URL.
 */
export type PageRoute = readonly [path: string, handler: PageHandler, method?: 'post'];

/** The section of a page. @param path its URL path, `/dashboard/{account}/{section}`, optionally followed by more segments */
export function sectionOf(path: string): Section {
  return findSection(path.split('/')[3] ?? '')?.name ?? '';
}

/**
 * The data of an account that every page shows. It is cheap to read: sizes of tables, the clock, and the next agenda
 * item.
 */
export function sharedPageData(account: Account): Pick<DashboardLocation, 'counts' | 'status'> {
  const activeFaultCount = activeFaultsOf(account).length;
  const [next] = nextAgendaEntries(account, 1);
  return {
    counts: countsOf(account, activeFaultCount),
    status: {
      now: formatInstant(account.now()),
      isFrozen: account.clock.state.mode === 'frozen',
      next,
      activeFaults: activeFaultCount,
    },
  };
}

function countsOf(account: Account, activeFaultCount: number): DashboardLocation['counts'] {
  const { invoices, paymentLinks, payments, deposits, customers, deliveries, mails, snapshots } = account;
  return {
    invoices: invoices.size,
    'payment-links': paymentLinks.size,
    payments: payments.size,
    deposits: deposits.size,
    customers: customers.size,
    requests: account.requests.size,
    webhooks: deliveries.size,
    mails: mails.size,
    faults: activeFaultCount,
    snapshots: snapshots.size,
  };
}

/**
 * The input of a handler of the control API, as if it came from a request. Its body is empty, so it is only for
 * operations that read. `name` and `id` are both the `:idOrName` parameter of the page; a list is read in one page of
 * up to 10,000 rows.
 */
export function operationInput({ account, request }: PageContext): {
  readonly account: Account;
  readonly query: { readonly page: number; readonly per_page: number };
  readonly body: object;
  readonly name: string;
  readonly id: number | string;
  readonly describe: DescribeAction;
} {
  const idOrName = String(request.params['idOrName'] ?? '');
  return {
    account,
    query: { page: 1, per_page: 10_000 },
    body: {},
    name: idOrName,
    id: integerOrText(idOrName),
    describe: ignoreDetails,
  };
}
