import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { ServiceError } from '../../domain/service-error.js';
import type { World } from '../../simulation/world.js';
import { accountOfPath } from '../account-of-path.js';
import { Notices } from '../dashboard/actions/notices.js';
import { formParamsOf } from '../dashboard/actions/parse-form.js';
import { errorPage } from '../dashboard/components/error-page.js';
import { htmlResponse } from '../dashboard/routing/responses.js';
import { suggestedLinks } from '../dashboard/routing/suggested-links.js';
import { errorText } from '../service/errors.js';
import type { ResponseData } from '../service/response.js';
import { queryParamsOf } from '../service/validation.js';
import { authorizationPage } from './authorize.js';
import type { GuestPage, GuestRequest } from './guest-page.js';
import { payPage } from './pay.js';
import type { GuestErrorCode } from './texts/guest-texts.js';
import { textsOf } from './texts/texts-of.js';

/** The guest pages, each with the first part of its path. */
const pages: readonly (readonly [segment: string, page: GuestPage])[] = [
  ['pay', payPage],
  ['authorize', authorizationPage],
];

/** Serves the guest pages, which need no token. */
export function createGuestPages(world: World): Router {
  const router = express.Router({ caseSensitive: true });
  const notices = new Notices();

  for (const [segment, { show, submit }] of pages) {
    // URLs of the default account do not have its id; see `pageUrl`.
    for (const path of [`/${segment}/:slugOrId`, `/${segment}/:account/:slugOrId`]) {
      router.get(path, async (request) => {
        const guestRequest = guestRequestOf(world, request);
        const { account, query } = guestRequest;
        const notice = notices.take(query.get('notice'));
        // Recorded as a view, since opening an invoice for the first time changes its status.
        const responseData = account.activity.duringView(account.now(), () => show({ ...guestRequest, notice }));
        // Awaited here, so that a storage error leads to an error page.
        await account.whenStored();
        request.exchange.respond(withLanguageHeaders(responseData, guestRequest));
      });
      router.post(path, async (request) => {
        const guestRequest = guestRequestOf(world, request);
        const { account } = guestRequest;
        const action = { by: 'guest', operation: segment } as const;
        const responseData = account.activity.duringAction(action, account.now(), () =>
          submit(guestRequest, formParamsOf(request), (notice) => notices.keep(notice)),
        );
        await account.whenStored();
        request.exchange.respond(withLanguageHeaders(responseData, guestRequest));
      });
    }
  }
  router.use((error: unknown, request: Request, _response: Response, next: NextFunction) => {
    const code = error instanceof ServiceError ? linkErrors.find((linkError) => linkError === error.code) : undefined;
    if (code === undefined || !(error instanceof ServiceError)) {
      next(error);
      return;
    }
    const texts = textsOf(request);
    const { status } = errorText(error, request.exchange.profile);
    const [title, text] = texts.errors[code];
    const responseData = htmlResponse(errorPage(title, text, suggestedLinks(world, request.path), texts), status);
    request.exchange.respond(withLanguageHeaders(responseData, { texts }));
  });
  return router;
}

/** Errors caused by a wrong or outdated link. Guests see them in their language. */
const linkErrors: readonly GuestErrorCode[] = ['account-not-found', 'deposit-not-found', 'payment-link-not-found'];

/** Adds headers that name the language of the page, and say that it depends on `Accept-Language`. */
function withLanguageHeaders(responseData: ResponseData, { texts }: Pick<GuestRequest, 'texts'>): ResponseData {
  return {
    ...responseData,
    headers: { ...responseData.headers, 'Content-Language': texts.lang, Vary: 'Accept-Language' },
  };
}

/** Reads a request, and runs the due agenda items of its account. @throws ServiceError account-not-found */
function guestRequestOf(world: World, request: Request): GuestRequest {
  // How a browser uses the page: as a `document`, or for example as an `image` or `iframe`.
  const destination = request.headers['sec-fetch-dest'];
  return {
    account: accountOfPath(world, request),
    texts: textsOf(request),
    slugOrId: String(request.params['slugOrId']),
    path: request.path,
    query: queryParamsOf(request),
    isOpenedByPerson: request.method === 'GET' && (destination === undefined || destination === 'document'),
    notice: undefined,
  };
}
