import type { Request } from 'express';
import { instant } from '../../../domain/dates.js';
import type { Account } from '../../../simulation/account.js';
import { activeFaultsOf } from '../../../simulation/faults/faults.js';
import type { World } from '../../../simulation/world.js';
import type { ContractRuns } from '../../contract-runs.js';
import type { ControlRoutes } from '../../control/handler.js';
import type { PayloadParsers } from '../../control/payload-parsers.js';
import type { Answer } from '../../service/answer.js';
import { readInteger } from '../../service/query.js';
import type { Views } from '../../service/views.js';
import type { DashboardLocation, Notice, Section } from '../components/dashboard.js';

/** The data that a page is built from. */
export interface PageContext {
  readonly world: World;
  readonly account: Account;
  readonly views: Views;
  /** The operations of the control API. */
  readonly routes: ControlRoutes;
  readonly payloadParsers: PayloadParsers;
  readonly contractRuns: ContractRuns;
  readonly request: Request;
  /** The query parameters of the page. */
  readonly search: URLSearchParams;
  /** The outcome of the last action. */
  readonly notice: Notice | undefined;
}

/** Renders a page, or returns a whole response. @throws ServiceError if there is nothing to show */
export type PageHandler = (context: PageContext) => string | Answer | Promise<string | Answer>;

/** A page, and its path below the account. */
export type Page = readonly [path: string, show: PageHandler];

/** The location of a page of a section. */
export function locationOf(
  { world, account, request, search, notice }: PageContext,
  section: Section,
): DashboardLocation {
  const query = search.size === 0 ? '' : `?${search}`;
  return {
    account: account.id,
    accounts: world.accounts.all().map(({ id }) => id),
    section,
    ...standingOf(account),
    path: request.path + query,
    notice,
  };
}

/** The parts of an account that every page shows: only those that are cheap to read, such as the sizes of tables. */
export function standingOf(account: Account): Pick<DashboardLocation, 'counts' | 'status'> {
  const activeFaults = activeFaultsOf(account).length;
  const [next] = account.schedule.upcoming(1);
  return {
    counts: countsOf(account, activeFaults),
    status: {
      now: instant(account.now()),
      isFrozen: account.clock.state.mode === 'frozen',
      next: next && { ...next, at: instant(next.at) },
      activeFaults,
    },
  };
}

function countsOf(account: Account, activeFaults: number): DashboardLocation['counts'] {
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
    faults: activeFaults,
    snapshots: snapshots.size,
  };
}

/** Builds a request to a reading operation of the control API. Lists are read with the maximum page size. */
export function readOnlyRequest({ account, request }: PageContext): {
  readonly account: Account;
  readonly query: { readonly page: number; readonly per_page: number };
  readonly body: object;
  readonly name: string;
  readonly id: number | string;
} {
  const name = String(request.params['name'] ?? '');
  return { account, query: { page: 1, per_page: 10_000 }, body: {}, name, id: readInteger(name) };
}
