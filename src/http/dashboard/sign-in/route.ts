import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { parseUrl } from '../../../lib/parse-url.js';
import { controlTokenCheck } from '../../middleware/control-token.js';
import { returnToName } from '../components/form-fields.js';
import { formParamsOf } from '../routing/form.js';
import { htmlResponse, seeOther } from '../routing/responses.js';
import { signInPage } from './view.js';

const cookieName = 'billing-sim-session';

/**
 * Requires users to enter the control token once, if the simulator was started with one. The cookie holds a random
 * session id and not the token, since browsers send a cookie to servers on all ports of this machine.
 */
export function createSignIn(controlToken: string | undefined) {
  const isControlToken = controlTokenCheck(controlToken);
  const sessions = new Set<string>();
  return {
    requireSignIn(request: Request, _response: Response, next: NextFunction): void {
      // Without a control token, the check accepts everything, so nobody has to sign in.
      if (isControlToken(undefined) || sessions.has(sessionIdOf(request))) next();
      else {
        const page = signInPage({ returnTo: request.originalUrl, wasTokenWrong: false });
        request.exchange.respond(htmlResponse(page, 401));
      }
    },

    handleSignIn(request: Request): void {
      const params = formParamsOf(request);
      const returnTo = localPath(params.get(returnToName));
      if (!isControlToken(params.get('token') ?? '')) {
        const page = signInPage({ returnTo, wasTokenWrong: true });
        request.exchange.respond(htmlResponse(page, 401));
        return;
      }
      const session = randomUUID();
      sessions.add(session);
      const { headers, ...responseData } = seeOther(returnTo);
      const setCookie = `${cookieName}=${session}; Path=/dashboard; HttpOnly; SameSite=Strict`;
      request.exchange.respond({
        ...responseData,
        headers: { ...headers, 'Set-Cookie': setCookie },
      });
    },
  };
}

function sessionIdOf({ headers }: Request): string {
  return new RegExp(`(?:^|; *)${cookieName}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1] ?? '';
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
