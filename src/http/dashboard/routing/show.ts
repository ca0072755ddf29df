import type { Request } from 'express';
import type { Account } from '../../../simulation/account.js';
import type { World } from '../../../simulation/world.js';
import type { ControlRoutes } from '../../control/handler.js';
import type { Answer } from '../../service/answer.js';
import { readInteger } from '../../service/query.js';
import type { Views } from '../../service/views.js';
import type { Notice, Place, Section } from '../components/dashboard.js';

/** What a page is made of. */
export interface Asked {
  readonly world: World;
  readonly account: Account;
  readonly views: Views;
  /** The operations of the control API. */
  readonly routes: ControlRoutes;
  readonly request: Request;
  /** The query, without what is not the page's own. */
  readonly search: URLSearchParams;
  /** What came of what was done last. */
  readonly notice: Notice | undefined;
}

/** Makes a page; or, where one is not like the others, its whole answer. @throws ServiceError where there is nothing to show */
export type Show = (asked: Asked) => string | Answer | Promise<string | Answer>;

/** A page, and what its address has behind the account. */
export type Page = readonly [path: string, show: Show];

/** Where in the dashboard a page of a section is. */
export function placeOf({ world, account, request, search, notice }: Asked, section: Section): Place {
  const query = search.size === 0 ? '' : `?${search}`;
  return {
    account: account.id,
    accounts: world.accounts.all().map(({ id }) => id),
    section,
    path: request.path + query,
    notice,
  };
}

/** What an operation of the control API is asked with that only reads: of a list, as much as one page may have. */
export function reading({ account, request }: Asked): {
  readonly account: Account;
  readonly query: { readonly page: number; readonly per_page: number };
  readonly body: object;
  readonly name: string;
  readonly id: number | string;
} {
  const name = String(request.params['name'] ?? '');
  return { account, query: { page: 1, per_page: 10_000 }, body: {}, name, id: readInteger(name) };
}
