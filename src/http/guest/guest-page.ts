import { html } from '@remix-run/html-template';
import type { Account } from '../../simulation/account.js';
import type { Notice } from '../dashboard/components/dashboard-page.js';
import type { ResponseData } from '../service/response.js';
import type { GuestTexts } from './texts/guest-texts.js';

/** A request to a guest page. */
export interface GuestRequest {
  readonly account: Account;
  /** The texts in the guest's language. */
  readonly texts: GuestTexts;
  /** The slug of an invoice or payment link, or the id of a deposit, from the URL. */
  readonly slugOrId: string;
  /** The URL without the host and the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** True if a person opens the page; false for HEAD requests, frames and images. */
  readonly isOpenedByPerson: boolean;
  /** The notice about the form that was submitted last; undefined if there is none. */
  readonly notice: Notice | undefined;
}

/** A page for guests. Its methods throw a ServiceError if there is nothing to show, or if the form is not valid. */
export interface GuestPage {
  /** Renders the page. */
  show(request: GuestRequest): ResponseData;
  /** Handles a submitted form. @param keepNotice keeps a notice for the next page, and returns the notice's id */
  submit(request: GuestRequest, params: URLSearchParams, keepNotice: (notice: Notice) => string): ResponseData;
}

/** Builds a notice with one paragraph of text. */
export function textNotice(kind: Notice['kind'], text: string): Notice {
  return { kind, content: html`<p>${text}</p>` };
}

/** Seconds until a page about a payment in progress reloads. */
const reloadSeconds = 5;

/**
 * Makes the browser reload a page, even without JavaScript. Uses the Refresh header instead of `<meta http-equiv>`,
 * because the tests treat any `<meta http-equiv>` in a page as unescaped input.
 */
export function withReload({ headers, ...responseData }: ResponseData): ResponseData {
  return { ...responseData, headers: { ...headers, Refresh: reloadSeconds } };
}
