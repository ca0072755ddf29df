import type { Request } from 'express';
import type { Account } from '../../../simulation/account.js';
import type { World } from '../../../simulation/world.js';
import type { ControlRoutes } from '../../control/handler.js';
import type { Answer } from '../../service/answer.js';
import { readInteger } from '../../service/query.js';
import type { Views } from '../../service/views.js';
import type { Notice, Place, Section } from '../components/dashboard.js';

/** The data that a page is built from. */
export interface PageContext {
  readonly world: World;
  readonly account: Account;
  readonly views: Views;
  /** The operations of the control API. */
  readonly routes: ControlRoutes;
  readonly request: Request;
  /** The query parameters of the page. */
  readonly search: URLSearchParams;
  /** The outcome of the last action. */
  readonly notice: Notice | undefined;
}

/** Renders a page, or returns a whole response. @throws ServiceError if there is nothing to show */
export type Show = (context: PageContext) => string | Answer | Promise<string | Answer>;

/** A page, and its path below the account. */
export type Page = readonly [path: string, show: Show];

/** The place of a page of a section. */
export function placeOf({ world, account, request, search, notice }: PageContext, section: Section): Place {
  const query = search.size === 0 ? '' : `?${search}`;
  return {
    account: account.id,
    accounts: world.accounts.all().map(({ id }) => id),
    section,
    path: request.path + query,
    notice,
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
