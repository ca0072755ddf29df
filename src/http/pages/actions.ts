import { html, type SafeHtml } from '@remix-run/html-template';
import type { Notice } from '../../pages/dashboard.js';
import type { ResultOf } from '../control/operations.js';
import type { RouteId } from '../control/routes.js';

/** What is told of an operation that was done, where its page does not show it anyway. */
type Words = { readonly [Id in RouteId]?: (result: ResultOf<Id>) => SafeHtml };

const words: Words = {
  createToken: ({ name, token }) =>
    html`<p>The token <strong>${name}</strong> is <code>${token}</code>. It is shown this once.</p>`,
};

/** The notice of what was done. */
export function noticeOf<Id extends RouteId>(id: Id, result: ResultOf<Id>): Notice {
  return { kind: 'done', content: words[id]?.(result) ?? html`<p>Done.</p>` };
}
