import type { Request } from 'express';
import { formatInstant } from '../../../domain/dates.js';
import type { Account } from '../../../simulation/account.js';
import type { Accounts } from '../../../simulation/accounts.js';
import { activeFaultsOf } from '../../../simulation/faults/faults.js';
import type { ContractRuns } from '../../contract-runs.js';
import type { ResponseData } from '../../service/response.js';
import type { Views } from '../../service/views.js';
import type { DashboardLocation } from '../components/dashboard-page.js';
import { findSection, type Section } from '../components/sections.js';
import { nextAgendaEntries } from '../data/agenda-entries.js';

/** The request for a page, and the data that the page is built from. */
export interface PageContext {
  /** The account that the path names. */
  readonly account: Account;
  /** All accounts of the simulator. */
  readonly accounts: Accounts;
  readonly location: DashboardLocation;
  /** Renders records as JSON, and builds their URLs. */
  readonly views: Views;
  /** Runs the contract suite in the background, for the Contract page. */
  readonly contractRuns: ContractRuns;
  readonly request: Request;
  /** The query parameters of the page, without `notice`, the id of the notice to show. */
  readonly query: URLSearchParams;
  /** The `:idOrName` parameter of the path; empty if it has none. */
  readonly idOrName: string;
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
      activeFaultCount,
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
