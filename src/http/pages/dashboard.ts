import { html } from '@remix-run/html-template';
import type { Request } from 'express';
import { dashboardPage, type Notice, type Place, type Section } from '../../pages/dashboard.js';
import type { Account } from '../../simulation/account.js';
import type { World } from '../../simulation/create-world.js';
import type { Views } from '../views.js';

/** What a page is made of. */
export interface Asked {
  readonly world: World;
  readonly account: Account;
  readonly views: Views;
  readonly request: Request;
  /** The query, without what is not the page's own. */
  readonly search: URLSearchParams;
  /** What came of what was done last. */
  readonly notice: Notice | undefined;
}

/** Makes a page. @throws Refusal where there is nothing to show */
export type Show = (asked: Asked) => string | Promise<string>;

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

const overview: Show = (asked) => dashboardPage(placeOf(asked, ''), 'Overview', html`<p>…</p>`);

/** The pages of the dashboard, by what their addresses have behind the account. */
export const dashboardPages: readonly (readonly [path: string, show: Show])[] = [['', overview]];
