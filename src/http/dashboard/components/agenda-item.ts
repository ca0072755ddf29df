import { html, type SafeHtml } from '@remix-run/html-template';
import type { RecordReference } from '../../../domain/activity.js';
import type { components } from '../../../generated/control-validated-types.js';
import { formatAgendaItem } from '../../../text/agenda-text.js';
import { recordLink } from './record-link.js';
import { runPath, sectionPath } from './sections.js';

type AgendaItem = components['schemas']['AgendaItem'];

/** Describes the webhook, email or scenario run that an agenda item is about, since its id alone says little. */
export interface AgendaItemDetails {
  /** An event, the subject of an email, or the name of a scenario. */
  readonly name: string;
  /** The record that the webhook, email or run is about. */
  readonly record: RecordReference;
  /** True if an attempt to send the webhook or email has failed. */
  readonly isRetry: boolean;
}

/** An agenda item as pages show it. */
export interface AgendaEntry extends AgendaItem {
  /** Undefined if the item is not about a webhook, an email or a scenario run. */
  readonly details?: AgendaItemDetails | undefined;
}

/** An agenda item in words, with links. */
export function agendaItemText(account: string, item: Omit<AgendaEntry, 'at'>): SafeHtml {
  const { kind, id, details } = item;
  switch (kind) {
    case 'deposit-expires':
      return html`${recordLink(account, { resource: 'deposit', id })} expires`;
    case 'invoice-falls-due':
      return html`${recordLink(account, { resource: 'invoice', id })} becomes overdue`;
    case 'payment-ends':
      return html`${recordLink(account, { resource: 'payment', id })} succeeds or fails`;
    case 'delivery-attempt':
      return messageText(
        account,
        html`${details ? '' : 'webhook '}<a href="${sectionPath(account, 'webhooks', id)}">${details?.name ?? id}</a>`,
        details,
      );
    case 'mail-attempt':
      return messageText(
        account,
        html`email <a href="${sectionPath(account, 'mails', id)}">${details?.name ?? id}</a>`,
        details,
      );
    case 'scenario-step': {
      const link = html`<a href="${runPath(account, id)}">${details?.name ?? `scenario run ${id}`}</a>`;
      return html`${withRecord(account, link, details)} continues`;
    }
    default:
      return html`${formatAgendaItem(item)}`;
  }
}

/** `deposit.expired (deposit 8) is sent`, or `retry of deposit.expired (deposit 8)`. */
function messageText(account: string, link: SafeHtml, details: AgendaItemDetails | undefined): SafeHtml {
  const message = withRecord(account, link, details);
  return details?.isRetry ? html`retry of ${message}` : html`${message} is sent`;
}

function withRecord(account: string, link: SafeHtml, details: AgendaItemDetails | undefined): SafeHtml {
  return details ? html`${link} (${recordLink(account, details.record)})` : link;
}
