import { html, type SafeHtml } from '@remix-run/html-template';

/** A list of labels and values. Values that are null are left out. */
export function facts(labeledValues: readonly (readonly [label: string, value: SafeHtml | string | null])[]): SafeHtml {
  const rows = labeledValues.filter(([, value]) => value !== null);
  return html`<dl class="facts">
${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

/** A field of a record; null if the record has no value for it. */
export type Field = readonly [label: string, value: SafeHtml | string | number | null];

/** A section with all fields of a record, including fields without a value. */
export function fieldSheet(fields: readonly Field[]): SafeHtml {
  const labeledValues = fields.map(
    ([label, value]) => [label, html`${value ?? html`<span class="none">none</span>`}`] as const,
  );
  return html`<section class="sheet" aria-labelledby="fields"><h2 id="fields">All fields</h2>
${facts(labeledValues)}
</section>`;
}
