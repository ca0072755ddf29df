import express, { type Request, type Router } from 'express';
import { ServiceError } from '../../domain/service-error.js';
import type { World } from '../../simulation/world.js';
import { paramsOf } from '../dashboard/routing/form.js';
import { Notices } from '../dashboard/routing/notices.js';
import { searchOf } from '../service/query.js';
import { authorizationPages } from './authorize/route.js';
import type { GuestPage, Visit } from './guest-page.js';
import { payPages } from './pay/route.js';

const pages: readonly (readonly [address: string, page: GuestPage])[] = [
  ['pay', payPages],
  ['authorize', authorizationPages],
];

/** Serves the guest pages, which need no token. */
export function createGuestPages(world: World): Router {
  const router = express.Router({ caseSensitive: true });
  const notices = new Notices();

  for (const [address, { show, submit }] of pages) {
    // URLs of the default account do not have its id; see `pageUrl`.
    for (const path of [`/${address}/:name`, `/${address}/:account/:name`]) {
      router.get(path, async (request, response) => {
        const visit = visitOf(world, request);
        const answer = show({ ...visit, notice: notices.take(visit.search.get('notice')) });
        // Awaited here, so that a storage error is shown as a page.
        await visit.account.stored();
        request.exchange.answer(request, response, answer);
      });
      router.post(path, async (request, response) => {
        const visit = visitOf(world, request);
        const answer = submit(visit, paramsOf(request), (notice) => notices.keep(notice));
        await visit.account.stored();
        request.exchange.answer(request, response, answer);
      });
    }
  }
  return router;
}

/** @throws ServiceError account-unknown */
function visitOf(world: World, request: Request): Visit {
  const { account: id, name } = request.params;
  const account = id === undefined ? world.fallback() : world.accounts.get(String(id));
  if (!account) throw new ServiceError('account-unknown');
  account.schedule.settleDue();
  // Browsers set this header if the page is loaded as an image or in a frame.
  const dest = request.headers['sec-fetch-dest'];
  return {
    account,
    name: String(name),
    path: request.path,
    search: searchOf(request),
    isOpenedByPerson: request.method === 'GET' && (dest === undefined || dest === 'document'),
    notice: undefined,
  };
}
