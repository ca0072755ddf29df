import { html, type SafeHtml } from '@remix-run/html-template';
import { sentence } from '../../../text/words.js';
import { guestPage } from './layout.js';

/** A link to where somebody can go on. */
export interface WayOn {
  /** Without the host. */
  readonly href: string;
  readonly label: string;
}

/** Says why there is no page to show, and where to go on. @param hint what to do about it, as a refusal has it: without a capital and a full stop */
export function refusedPage(title: string, hint: string | undefined, ways: readonly WayOn[]): string {
  return guestPage(
    title,
    html`${hint === undefined ? '' : html`<p>${sentence(hint)}</p>`}
<ul class="ways-on">
${ways.map(wayOn)}</ul>`,
  );
}

function wayOn({ href, label }: WayOn): SafeHtml {
  return html`<li><a href="${href}">${label}</a></li>\n`;
}
