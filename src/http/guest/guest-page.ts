import { html } from '@remix-run/html-template';
import type { Account } from '../../simulation/account.js';
import type { Notice } from '../dashboard/components/dashboard.js';
import type { Answer } from '../service/answer.js';

/** What a guest asks for. */
export interface Visit {
  readonly account: Account;
  /** What the address names within the account: a slug, or the id of a deposit. */
  readonly name: string;
  /** The address without the host and the query. */
  readonly path: string;
  readonly search: URLSearchParams;
  /** Whether somebody looks, rather than a program that asks for the headers alone, or a page that loads it as a part of itself. */
  readonly isSeen: boolean;
  /** What is told of the form that was sent last. */
  readonly notice: Notice | undefined;
}

/** A page of a guest. @throws ServiceError where there is nothing to show */
export interface GuestPage {
  /** What the guest sees. */
  show(visit: Visit): Answer;
  /** What comes of a form that the guest sends. @param tell has something told on the next page; gives what leads to it */
  take(visit: Visit, params: URLSearchParams, tell: (notice: Notice) => string): Answer;
}

/** That something went wrong, or was done already. */
export function notice(kind: Notice['kind'], text: string): Notice {
  return { kind, content: html`<p>${text}</p>` };
}
