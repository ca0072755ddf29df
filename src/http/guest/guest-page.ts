import { html } from '@remix-run/html-template';
import type { Account } from '../../simulation/account.js';
import type { Notice } from '../dashboard/components/dashboard.js';
import type { Answer } from '../service/answer.js';

/** A request to a guest page. */
export interface Visit {
  readonly account: Account;
  /** The slug, or the id of a deposit, in the URL. */
  readonly name: string;
  /** The URL without the host and the query. */
  readonly path: string;
  readonly search: URLSearchParams;
  /** True if a person opens the page; false for HEAD requests, frames and images. */
  readonly isOpenedByPerson: boolean;
  /** The notice about the last form. */
  readonly notice: Notice | undefined;
}

/** A page for guests. @throws ServiceError if there is nothing to show */
export interface GuestPage {
  /** Renders the page. */
  show(visit: Visit): Answer;
  /** Handles a form. @param keepNotice keeps a notice for the next page; returns its id */
  submit(visit: Visit, params: URLSearchParams, keepNotice: (notice: Notice) => string): Answer;
}

/** A notice with a text. */
export function notice(kind: Notice['kind'], text: string): Notice {
  return { kind, content: html`<p>${text}</p>` };
}
