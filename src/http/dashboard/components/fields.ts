import { html, type SafeHtml } from '@remix-run/html-template';
import { facts } from './facts.js';

/** A field of a record. Its value is null if it has none. */
export type Field = readonly [label: string, value: SafeHtml | string | number | null];

/** All fields of a record, also those without a value. */
export function fieldSheet(fields: readonly Field[]): SafeHtml {
  const shown = fields.map(
    ([label, value]) => [label, html`${value ?? html`<span class="none">none</span>`}`] as const,
  );
  return html`<section class="sheet" aria-labelledby="fields"><h2 id="fields">All fields</h2>
${facts(shown)}
</section>`;
}
