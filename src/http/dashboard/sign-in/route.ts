import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { controlTokenCheck } from '../../middleware/control-token.js';
import { page, seeOther } from '../routing/answer.js';
import { paramsOf } from '../routing/form.js';
import { signInPage } from './view.js';

const cookie = 'billing-sim-session';

/**
 * The dashboard is open on loopback; where a control token was set, it is asked for once. A cookie goes to whatever
 * listens on another port of this machine, too: it holds no token, but a name that says nothing elsewhere.
 */
export function signIn(controlToken: string | undefined) {
  const isControlToken = controlTokenCheck(controlToken);
  const sessions = new Set<string>();
  return {
    demand(request: Request, response: Response, next: NextFunction): void {
      if (isControlToken(undefined) || sessions.has(sessionOf(request))) next();
      else request.exchange.answer(request, response, page(signInPage(request.originalUrl, false), 401));
    },

    accept(request: Request, response: Response): void {
      const params = paramsOf(request);
      const then = localPath(params.get('then'));
      if (!isControlToken(params.get('token') ?? '')) {
        request.exchange.answer(request, response, page(signInPage(then, true), 401));
        return;
      }
      const session = randomUUID();
      sessions.add(session);
      const { headers, ...answer } = seeOther(then);
      const kept = `${cookie}=${session}; Path=/dashboard; HttpOnly; SameSite=Strict`;
      request.exchange.answer(request, response, { ...answer, headers: { ...headers, 'Set-Cookie': kept } });
    },
  };
}

function sessionOf({ headers }: Request): string {
  return new RegExp(`(?:^|; *)${cookie}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1] ?? '';
}

/**
 * Gives the page of the dashboard that a form is to lead to, as browsers would read its path; the dashboard itself for
 * anything else.
 */
export function localPath(path: string | null): string {
  const url = path !== null && URL.canParse(path, here) ? new URL(path, here) : undefined;
  // The path is checked once it is resolved: dots and backslashes may lead up, and to another host.
  if (url?.origin !== here || !/^\/dashboard(?:\/|$)/.test(url.pathname)) return '/dashboard';
  return url.pathname + url.search + url.hash;
}

const here = 'http://localhost';
