import { html, type SafeHtml } from '@remix-run/html-template';

/** A list of labels and values. Values that are null are left out. */
export function facts(labeledValues: readonly (readonly [label: string, value: SafeHtml | string | null])[]): SafeHtml {
  const rows = labeledValues.filter(([, value]) => value !== null);
  return html`<dl class="facts">
${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}
