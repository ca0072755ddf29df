import { html } from '@remix-run/html-template';
import express, { type Request, type Router } from 'express';
import { Refusal } from '../../domain/refusal.js';
import type { Notice } from '../../pages/dashboard.js';
import type { Account } from '../../simulation/account.js';
import type { World } from '../../simulation/create-world.js';
import type { Answer } from '../answer.js';
import { searchOf } from '../query.js';
import { paramsOf } from './form.js';
import { authorizeSteps } from './guest-authorize.js';
import { paySteps } from './guest-pay.js';
import { Notices } from './notices.js';

/** What a guest asks for. */
export interface Visit {
  readonly account: Account;
  /** What the address names within the account: a slug, or the id of a deposit. */
  readonly name: string;
  /** The address without the host and the query. */
  readonly path: string;
  readonly search: URLSearchParams;
  /** Whether somebody looks, rather than a program that asks for the headers alone. */
  readonly isSeen: boolean;
  /** What is told of the form that was sent last. */
  readonly notice: Notice | undefined;
}

/** A page of a guest. @throws Refusal where there is nothing to show */
export interface GuestPage {
  /** What the guest sees. */
  show(visit: Visit): Answer;
  /** What comes of a form that the guest sends. @param tell has something told on the next page; gives what leads to it */
  take(visit: Visit, params: URLSearchParams, tell: (notice: Notice) => string): Answer;
}

const pages: readonly (readonly [address: string, page: GuestPage])[] = [
  ['pay', paySteps],
  ['authorize', authorizeSteps],
];

/** The pages that guests are sent to. Whoever has the address may come in. */
export function createGuestPages(world: World): Router {
  const router = express.Router({ caseSensitive: true });
  const notices = new Notices();

  for (const [address, { show, take }] of pages) {
    // The default account is not named; see `pageUrl`.
    for (const path of [`/${address}/:name`, `/${address}/:account/:name`]) {
      router.get(path, (request, response) => {
        const visit = visitOf(world, request);
        const notice = notices.take(visit.search.get('notice'));
        request.exchange.answer(request, response, show({ ...visit, notice }));
      });
      router.post(path, async (request, response) => {
        const visit = visitOf(world, request);
        const answer = take(visit, paramsOf(request), (notice) => notices.keep(notice));
        await visit.account.stored();
        request.exchange.answer(request, response, answer);
      });
    }
  }
  return router;
}

/** @throws Refusal account-unknown */
function visitOf(world: World, request: Request): Visit {
  const { account: id, name } = request.params;
  const account = id === undefined ? world.fallback() : world.accounts.get(String(id));
  if (!account) throw new Refusal('account-unknown');
  account.schedule.settleDue();
  return {
    account,
    name: String(name),
    path: request.path,
    search: searchOf(request),
    isSeen: request.method === 'GET',
    notice: undefined,
  };
}

/** That something went wrong, or was done already. */
export function notice(kind: Notice['kind'], text: string): Notice {
  return { kind, content: html`<p>${text}</p>` };
}
