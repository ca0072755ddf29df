import { html, type SafeHtml } from '@remix-run/html-template';
import { facts } from './facts.js';

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
