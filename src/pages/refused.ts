import { html } from '@remix-run/html-template';
import { guestPage } from './layout.js';

/** Says why there is no page to show. @param hint what to do about it */
export function refusedPage(title: string, hint: string | undefined): string {
  return guestPage(title, hint === undefined ? html`` : html`<p>${hint}</p>`);
}
