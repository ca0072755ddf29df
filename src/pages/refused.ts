import { html } from '@remix-run/html-template';
import { sentence } from '../domain/words.js';
import { guestPage } from './layout.js';

/** Says why there is no page to show. @param hint what to do about it, as a refusal has it: without a capital and a full stop */
export function refusedPage(title: string, hint: string | undefined): string {
  if (hint === undefined) return guestPage(title, html``);
  return guestPage(title, html`<p>${sentence(hint)}</p>`);
}
