import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { controlTokenCheck } from '../../middleware/control-token.js';
import { htmlAnswer, seeOther } from '../routing/answer.js';
import { paramsOf } from '../routing/form.js';
import { signInPage } from './view.js';

const cookie = 'billing-sim-session';

/**
 * Requires the control token once, if one was configured. Browsers send a cookie to servers on all ports of this
 * machine, so the cookie holds a random session id instead of the token.
 */
export function signIn(controlToken: string | undefined) {
  const isControlToken = controlTokenCheck(controlToken);
  const sessions = new Set<string>();
  return {
    requireSignIn(request: Request, response: Response, next: NextFunction): void {
      if (isControlToken(undefined) || sessions.has(sessionOf(request))) next();
      else request.exchange.answer(request, response, htmlAnswer(signInPage(request.originalUrl, false), 401));
    },

    handleSignIn(request: Request, response: Response): void {
      const params = paramsOf(request);
      const then = localPath(params.get('then'));
      if (!isControlToken(params.get('token') ?? '')) {
        request.exchange.answer(request, response, htmlAnswer(signInPage(then, true), 401));
        return;
      }
      const session = randomUUID();
      sessions.add(session);
      const { headers, ...answer } = seeOther(then);
      const setCookie = `${cookie}=${session}; Path=/dashboard; HttpOnly; SameSite=Strict`;
      request.exchange.answer(request, response, { ...answer, headers: { ...headers, 'Set-Cookie': setCookie } });
    },
  };
}

function sessionOf({ headers }: Request): string {
  return new RegExp(`(?:^|; *)${cookie}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1] ?? '';
}

/**
 * Returns the page of the dashboard that a form leads to, with its path resolved as browsers do; the start page for
 * anything else.
 */
export function localPath(path: string | null): string {
  const url = path !== null && URL.canParse(path, placeholderOrigin) ? new URL(path, placeholderOrigin) : undefined;
  // Checked after resolving: dots and backslashes may lead to another path or host.
  if (url?.origin !== placeholderOrigin || !/^\/dashboard(?:\/|$)/.test(url.pathname)) return '/dashboard';
  return url.pathname + url.search + url.hash;
}

const placeholderOrigin = 'http://localhost';
