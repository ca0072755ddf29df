import { html, type SafeHtml } from '@remix-run/html-template';

/** Renders text, with the parts between backticks as code. */
export function prose(text: string): SafeHtml {
  const parts = text.split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}
