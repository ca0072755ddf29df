import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { formatAgendaItem } from '../../../text/agenda-text.js';
import { addressOf, runAddress } from './dashboard.js';
import { recordLink } from './record-link.js';

type AgendaItem = Pick<components['schemas']['AgendaItem'], 'kind' | 'id'>;

/** An agenda item with a link to its record. */
export function agendaItemText(account: string, item: AgendaItem): SafeHtml {
  const { kind, id } = item;
  if (kind === 'deposit-expires') return html`${recordLink(account, { resource: 'deposit', id })} expires`;
  if (kind === 'invoice-falls-due') return html`${recordLink(account, { resource: 'invoice', id })} falls due`;
  if (kind === 'payment-ends') return html`${recordLink(account, { resource: 'payment', id })} ends`;
  if (kind === 'delivery-attempt') return html`<a href="${addressOf(account, 'webhooks', id)}">${id}</a> is sent`;
  if (kind === 'mail-attempt') return html`<a href="${addressOf(account, 'mails', id)}">mail ${id}</a> is sent`;
  if (kind === 'scenario-step') return html`<a href="${runAddress(account, id)}">run ${id} of a scenario</a> continues`;
  return html`${formatAgendaItem(item)}`;
}
