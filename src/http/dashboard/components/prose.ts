import { html, type SafeHtml } from '@remix-run/html-template';

/** A sentence with code between backticks. */
export function prose(text: string): SafeHtml {
  const parts = text.split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}
