import { html } from '@remix-run/html-template';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { ServiceError } from '../../../domain/service-error.js';
import type { World } from '../../../simulation/world.js';
import { accountOfPath } from '../../account-of-path.js';
import type { ControlOptions } from '../../control/control-options.js';
import { Streams } from '../../control/stream.js';
import { createGuestPages } from '../../guest/router.js';
import { readFormText } from '../../middleware/body.js';
import { refuseForeignOrigin } from '../../middleware/foreign-origin.js';
import { toServiceError } from '../../service/errors.js';
import { queryParamsOf } from '../../service/validation.js';
import type { ActionOutcome } from '../actions/action.js';
import { renderConfirmation } from '../actions/confirmations.js';
import { createActionFinder } from '../actions/find-action.js';
import { draftNotice, errorNotice } from '../actions/form-notices.js';
import { Notices } from '../actions/notices.js';
import { formParamsOf, jsonBodyOf } from '../actions/parse-form.js';
import { type Notice, problemsId } from '../components/dashboard-page.js';
import { formKeyName, returnToName } from '../components/form-fields.js';
import { redisplayButtonName, withoutBlankRows } from '../components/form-rows.js';
import { statusBar } from '../components/header.js';
import { updatedCounts } from '../components/navigation.js';
import { findSection, sectionPath } from '../components/sections.js';
import { dashboardPages } from '../routes.js';
import { changeFeedOf } from './change-feed.js';
import { errorPageResponse } from './error-page-response.js';
import { type PageContext, type PageHandler, sectionOf, sharedPageData } from './page.js';
import { htmlResponse, seeOther } from './responses.js';
import { createSignIn, localPath } from './sign-in.js';

/** Serves the dashboard and the guest pages. */
export function createPageRouter(world: World, options: ControlOptions): Router {
  const router = express.Router({ caseSensitive: true });
  const { requireSignIn, handleSignIn } = createSignIn(options);
  const dashboard = new Dashboard(world, options);
  router.use(refuseForeignOrigin(options.publicUrl?.origin), readFormText);
  router.get('/', (request) => request.exchange.respond(seeOther('/dashboard')));
  router.use(createGuestPages(world));
  router.post('/dashboard', handleSignIn);
  router.use('/dashboard', requireSignIn);
  router.get('/dashboard', (request) => dashboard.redirectToSection(request));
  router.get('/dashboard/:account/live', (request, response) => dashboard.streamChanges(request, response));
  router.get('/dashboard/:account/status', (request) => dashboard.showStatus(request));
  router.post('/dashboard/:account/do/:operation{/:idOrName}', (request) => dashboard.performAction(request));
  router.get('/dashboard/:account/confirm/:operation{/:idOrName}', (request) => dashboard.askToConfirm(request));
  for (const [path, handler, method = 'get'] of dashboardPages) {
    router[method](`/dashboard/:account${path}`, (request: Request) => dashboard.showPage(handler, request));
  }
  router.use(() => {
    throw new ServiceError('route-not-found');
  });
  router.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    const serviceError = toServiceError(error);
    if (serviceError && !response.headersSent)
      request.exchange.respond(errorPageResponse(world, request, serviceError));
    else next(error);
  });
  return router;
}

/**
 * Responds to the requests for the dashboard. After an action, the response to a form is a redirect, so that a reload
 * does not send the form again.
 */
class Dashboard {
  readonly #world: World;
  readonly #options: ControlOptions;
  readonly #streams: Streams;
  readonly #findAction: ReturnType<typeof createActionFinder>;
  readonly #notices = new Notices();

  constructor(world: World, options: ControlOptions) {
    this.#world = world;
    this.#options = options;
    this.#streams = new Streams(options.stopping);
    this.#findAction = createActionFinder(world, options);
  }

  /** Redirects to a section of an account, by default of the default account. */
  redirectToSection(request: Request): void {
    const query = queryParamsOf(request);
    const account = query.get('account') ?? this.#world.accounts.default().id;
    const section = findSection(query.get('section') ?? '')?.name ?? '';
    request.exchange.respond(seeOther(sectionPath(account, section)));
  }

  streamChanges(request: Request, response: Response): Promise<void> {
    const account = accountOfPath(this.#world, request);
    // The last change that the page contains.
    const since = queryParamsOf(request).get('since');
    return this.#streams.open(account, changeFeedOf(account), request, response, since);
  }

  /** Responds with the parts of a page that show the clock, and the number of rows in each section. */
  showStatus(request: Request): void {
    const account = accountOfPath(this.#world, request);
    const { counts, status } = sharedPageData(account);
    const location = { account: account.id, path: localPath(queryParamsOf(request).get(returnToName)) };
    const content = html`${statusBar(location, status)}${updatedCounts(counts)}`;
    request.exchange.respond(htmlResponse(String(content)));
  }

  async performAction(request: Request): Promise<void> {
    const account = accountOfPath(this.#world, request);
    const formParams = formParamsOf(request);
    const { operation: id, idOrName = '' } = request.params;
    const performAction = this.#findAction(String(id), account);
    if (!performAction) throw new ServiceError('route-not-found');
    const returnTo = localPath(formParams.get(returnToName));
    const params = withoutBlankRows(formParams);
    const act = async (): Promise<ActionOutcome> => {
      // A button such as `Add row` shows the form again, without performing the action.
      if (formParams.has(redisplayButtonName)) return { notice: draftNotice(formParams) };
      const body = jsonBodyOf(params, returnToName, formKeyName);
      const loggedAction = { by: 'dashboard', operation: String(id) } as const;
      const outcome = await account.activity.duringAction(loggedAction, account.now(), (logDetails) =>
        performAction({ account, body, idOrName: String(idOrName), returnTo, logDetails }),
      );
      // Awaited here, so that the form shows a storage error.
      await account.whenStored();
      return outcome;
    };
    const { notice, redirectTo } = await catchServiceError(request, params, act);
    request.exchange.respond(seeOther(this.#withNotice(redirectTo ?? returnTo, notice)));
  }

  askToConfirm(request: Request): void {
    const page = renderConfirmation(this.#contextOf(request), String(request.params['operation']));
    request.exchange.respond(htmlResponse(page));
  }

  async showPage(handler: PageHandler, request: Request): Promise<void> {
    const notice = this.#notices.take(queryParamsOf(request).get('notice'));
    const context = this.#contextOf(request, notice);
    const content = await handler(context);
    // Awaited here, so that a storage error leads to an error page: reading the account runs its due agenda items.
    await context.account.whenStored();
    request.exchange.respond(typeof content === 'string' ? htmlResponse(content) : content);
  }

  /** Adds a notice to the URL of the page that shows it, and keeps the notice until then. */
  #withNotice(path: string, notice: Notice): string {
    // The origin only serves to parse the path.
    const url = new URL(path, 'http://localhost');
    url.searchParams.set('notice', this.#notices.keep(notice));
    if (notice.kind === 'refused') url.hash = problemsId;
    return url.pathname + url.search + url.hash;
  }

  #contextOf(request: Request, notice?: Notice): PageContext {
    const { accounts } = this.#world;
    const { views, contractRuns } = this.#options;
    const query = queryParamsOf(request);
    query.delete('notice');
    const account = accountOfPath(this.#world, request);
    const changes = changeFeedOf(account);
    return {
      account,
      accounts,
      location: {
        account: account.id,
        lastChangeId: this.#streams.eventIdOf(changes, changes.lastId()),
        accounts: accounts.all().map(({ id }) => id),
        section: sectionOf(request.path),
        ...sharedPageData(account),
        outdatedUpTo: account.activity.outdatedUpTo,
        path: request.path + (query.size === 0 ? '' : `?${query}`),
        notice,
      },
      views,
      contractRuns,
      request,
      query,
      idOrName: String(request.params['idOrName'] ?? ''),
    };
  }
}

/**
 * Performs the action of a form. A service error becomes a notice with the entered values, so that the form shows them
 * again.
 */
async function catchServiceError(
  request: Request,
  params: URLSearchParams,
  action: () => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  try {
    return await action();
  } catch (error) {
    const serviceError = toServiceError(error);
    if (!serviceError) throw error;
    return { notice: errorNotice(serviceError, request.exchange.profile, params) };
  }
}
