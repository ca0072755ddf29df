import { randomUUID } from 'node:crypto';
import { html } from '@remix-run/html-template';
import type { NextFunction, Request, Response } from 'express';
import { dayMs } from '../../../lib/durations.js';
import { parseUrl } from '../../../lib/parse-url.js';
import type { ControlOptions } from '../../control/control-options.js';
import { controlTokenCheck } from '../../middleware/control-token.js';
import { formParamsOf } from '../actions/parse-form.js';
import { returnToField, returnToName } from '../components/form-fields.js';
import { centeredPage } from '../components/layout.js';
import { htmlResponse, seeOther } from './responses.js';

/** Time after its last request when a session ends, in milliseconds. */
const sessionTimeoutMs = dayMs;

/**
 * Requires users to enter the control token, if the simulator was started with one, unless they have a session. The
 * cookie holds a random session id and not the token, since browsers send a cookie to servers on all ports of this
 * machine.
 */
export function createSignIn({ controlToken, publicUrl }: Pick<ControlOptions, 'controlToken' | 'publicUrl'>) {
  const isControlToken = controlTokenCheck(controlToken);
  /** The times of the last request of each session, by its id. */
  const lastUses = new Map<string, number>();

  function endUnusedSessions(now: number): void {
    for (const [id, lastUse] of lastUses) if (now - lastUse >= sessionTimeoutMs) lastUses.delete(id);
  }

  /** Returns true if a request belongs to a session, which then continues. */
  function continueSession(request: Request): boolean {
    const { startedAt } = request.exchange;
    const id = sessionIdOf(request);
    endUnusedSessions(startedAt);
    if (!lastUses.has(id)) return false;
    lastUses.set(id, startedAt);
    return true;
  }

  return {
    requireSignIn(request: Request, _response: Response, next: NextFunction): void {
      // Without a control token, the check accepts everything, so nobody has to sign in.
      if (isControlToken(undefined) || continueSession(request)) next();
      else request.exchange.respond(htmlResponse(signInPageFor(request), 401));
    },

    handleSignIn(request: Request): void {
      const params = formParamsOf(request);
      const returnTo = localPath(params.get(returnToName));
      if (!isControlToken(params.get('token') ?? '')) {
        const page = signInPage(returnTo, 'wrong-token');
        request.exchange.respond(htmlResponse(page, 401));
        return;
      }
      const session = randomUUID();
      lastUses.set(session, request.exchange.startedAt);
      const { headers, ...responseData } = seeOther(returnTo);
      const secure = isFromHttps(request, publicUrl) ? '; Secure' : '';
      const setCookie = `${cookieNameOf(request)}=${session}; Path=/dashboard; HttpOnly; SameSite=Strict${secure}`;
      request.exchange.respond({
        ...responseData,
        headers: { ...headers, 'Set-Cookie': setCookie },
      });
    },
  };
}

/** Returns true if a form was sent from a page with an https: URL, which only a reverse proxy can serve. */
function isFromHttps({ headers }: Request, publicUrl: URL | undefined): boolean {
  const origin = headers.origin ?? publicUrl?.origin;
  return origin?.startsWith('https:') ?? false;
}

/** The sign-in page in place of the requested page, or of the result of a form, whose action is not performed. */
function signInPageFor(request: Request): string {
  return request.method === 'POST'
    ? signInPage(localPath(formParamsOf(request).get(returnToName)), 'signed-out')
    : signInPage(request.originalUrl);
}

const problems = {
  'signed-out': 'The action was not performed, since you are signed out. Sign in, then try again.',
  'wrong-token': 'That is not the control token.',
} as const;

/** The page that asks for the control token. @param returnTo the page to show afterwards, without the host */
function signInPage(returnTo: string, problem?: keyof typeof problems): string {
  const isTokenWrong = problem === 'wrong-token';
  return centeredPage(
    'Sign in',
    html`<p>This simulator was started with a control token.</p>
${problem === undefined ? '' : html`<p class="notice refused" id="problem" role="alert">${problems[problem]}</p>`}
<form method="post" action="/dashboard" class="fields">
${returnToField(returnTo)}
<label>Control token <input type="password" name="token" required autocomplete="current-password" autofocus${isTokenWrong ? html` aria-invalid="true" aria-describedby="problem"` : ''}></label>
<button>Sign in</button>
</form>`,
  );
}

function sessionIdOf(request: Request): string {
  const cookies = request.headers.cookie ?? '';
  return new RegExp(`(?:^|; *)${cookieNameOf(request)}=([\\w-]+)`).exec(cookies)?.[1] ?? '';
}

/** The name of the cookie. It contains the port, so that simulators on several ports of a machine have one each. */
function cookieNameOf({ headers }: Request): string {
  const [port = ''] = /(?<=:)\d+$/.exec(headers.host ?? '') ?? [];
  return `billing-sim-session${port === '' ? '' : `-${port}`}`;
}

/**
 * Checks the path of the page to show after a form, so that a forged form cannot lead to another site.
 * @returns the path with query and fragment, resolved as browsers do; `/dashboard` if it is not a page of the dashboard
 */
export function localPath(path: string | null): string {
  const url = path === null ? undefined : parseUrl(path, placeholderOrigin);
  // Checked after resolving: dots and backslashes may lead to another path or host.
  if (url?.origin !== placeholderOrigin || !/^\/dashboard(?:\/|$)/.test(url.pathname)) return '/dashboard';
  return url.pathname + url.search + url.hash;
}

/** `URL` needs an origin to resolve a path. */
const placeholderOrigin = 'http://localhost';
