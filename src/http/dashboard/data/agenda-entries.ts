import type { AgendaItem } from '../../../domain/agenda-item.js';
import { formatInstant } from '../../../domain/dates.js';
import type { Account } from '../../../simulation/account.js';
import type { AgendaEntry, AgendaItemDetails } from '../components/agenda-item.js';

/** The next agenda items with their details, soonest first. */
export function nextAgendaEntries(account: Account, limit: number): AgendaEntry[] {
  return account.schedule.upcoming(limit).map((item) => {
    const { at, kind, id } = item;
    return { at: formatInstant(at), kind, id, details: detailsOf(account, item) };
  });
}

function detailsOf(account: Account, { kind, id }: AgendaItem): AgendaItemDetails | undefined {
  switch (kind) {
    case 'delivery-attempt': {
      // The `subject` of a delivery is a record, but the `subject` of an email is its subject line.
      const delivery = account.deliveries.get(id);
      return (
        delivery && {
          name: delivery.event,
          record: delivery.subject,
          isRetry: account.attemptsOfDelivery.has(delivery.id),
        }
      );
    }
    case 'mail-attempt': {
      const mail = account.mails.get(id);
      return (
        mail && {
          name: mail.subject,
          record: { resource: 'invoice', id: mail.invoice_id },
          isRetry: mail.attempts.length > 0,
        }
      );
    }
    case 'scenario-step': {
      const run = account.runs.get(id);
      return run && { name: run.scenario, record: run.subject, isRetry: false };
    }
    default:
      return undefined;
  }
}
