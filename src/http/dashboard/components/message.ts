import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { fieldId } from './form-fields.js';
import { highlightedJson } from './json.js';

type Message = components['schemas']['RecordedMessage'];

/** The headers and the body of a request or a response. @param noBodyText shown in place of a body */
export function messageParts(label: string, { headers, body }: Message, noBodyText = 'No body.'): SafeHtml {
  return html`${headersTable(`Headers of the ${label}`, headers)}
<h3>Body</h3>
${body === null ? html`<p class="empty">${noBodyText}</p>` : bodyPart(`Body of the ${label}`, body)}`;
}

/** A list of headers in a scrollable region. */
export function headersTable(label: string, headers: Message['headers']): SafeHtml {
  if (headers.length === 0) return html`<p class="empty">No headers.</p>`;
  // The id lets a live update keep the list open.
  return html`<details id="${fieldId(...label.split(' '))}"><summary><h3>Headers (${headers.length})</h3></summary>
<pre tabindex="0" role="region" aria-label="${label}">${headers.map(({ name, value }) => html`<span class="json-name">${name}</span>: ${value}\n`)}</pre></details>`;
}

/** A body, or the reason why it cannot be shown as a whole. */
function bodyPart(label: string, { size, text, is_truncated }: NonNullable<Message['body']>): SafeHtml {
  const bytes = `${size.toLocaleString('en')} ${size === 1 ? 'byte' : 'bytes'}`;
  if (text === null) return html`<p class="empty">The body (${bytes}) was discarded to make room for newer ones.</p>`;
  if (text === '') return html`<p class="empty">An empty body.</p>`;
  const note = is_truncated ? html`<p class="hint">Only the beginning of ${bytes} is kept.</p>` : '';
  return html`${note}${jsonBlock(label, text)}`;
}

/** Text in a scrollable region, highlighted if it is JSON. */
export function jsonBlock(label: string, text: string): SafeHtml {
  return html`<pre tabindex="0" role="region" aria-label="${label}">${highlightedJson(text)}</pre>`;
}
