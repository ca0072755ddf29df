import { html, type SafeHtml } from '@remix-run/html-template';
import { actionAddress, type Place } from './dashboard.js';

interface Look {
  /** What the operation is done to. */
  readonly id?: number | string;
  readonly look?: 'fields' | 'actions' | 'action';
  /** Where on the page to come back to. */
  readonly at?: string;
  /** What comes of it is a page of another account, which has its own live updates: all of it is loaded anew. */
  readonly leadsElsewhere?: boolean;
}

/** A form that has an operation done with its fields as the body, and comes back to where it was sent from. */
export function form(
  place: Pick<Place, 'account' | 'path'>,
  operation: string,
  content: SafeHtml,
  { id, look = 'fields', at, leadsElsewhere = false }: Look = {},
): SafeHtml {
  const then = at === undefined ? place.path : `${place.path}#${at}`;
  // What is loaded by a script is not scrolled to.
  const plain = at !== undefined || leadsElsewhere ? html` hx-boost="false"` : '';
  return html`<form method="post" action="${actionAddress(place, operation, id)}" class="${look}"${plain}>
<input type="hidden" name="then" value="${then}">
${content}
</form>`;
}
