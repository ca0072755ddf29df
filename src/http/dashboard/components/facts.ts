import { html, type SafeHtml } from '@remix-run/html-template';

/** A list of labels and values, without values that are null. */
export function facts(all: readonly (readonly [label: string, value: SafeHtml | string | null])[]): SafeHtml {
  const rows = all.filter(([, value]) => value !== null);
  return html`<dl class="facts">
${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}
