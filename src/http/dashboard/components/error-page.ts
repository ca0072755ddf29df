import { html, type SafeHtml } from '@remix-run/html-template';
import { asSentence } from '../../../text/format.js';
import { centeredPage, type PageTexts } from './layout.js';

/** A link to a page that may be what the user was looking for. */
export interface SuggestedLink {
  /** Without the host. */
  readonly href: string;
  readonly label: string;
}

/**
 * An error page with links to related pages.
 * @param hint a sentence without an initial capital or a final period
 * @param texts the language and the footer of the page; default: English
 */
export function errorPage(
  title: string,
  hint: string | undefined,
  links: readonly SuggestedLink[],
  texts?: PageTexts,
): string {
  return centeredPage(
    title,
    html`${hint === undefined ? '' : html`<p>${asSentence(hint)}</p>`}
<ul class="suggested-links">
${links.map(linkItem)}</ul>`,
    texts,
  );
}

function linkItem({ href, label }: SuggestedLink): SafeHtml {
  return html`<li><a href="${href}">${label}</a></li>\n`;
}
