import { html } from '@remix-run/html-template';
import type { Delivery } from '../../../domain/records.js';
import { isDelivered } from '../../../domain/retries.js';
import { invalidField } from '../../../domain/service-error.js';
import { memberOf } from '../../../lib/json.js';
import type { Account } from '../../../simulation/account.js';
import { deliveryStatus, getDelivery, resendDelivery } from '../../../simulation/delivery/deliveries.js';
import { formatCount } from '../../../text/format.js';
import type { ActionOutcome, ActionRequest } from './action.js';

/** Maximum number of deliveries that one click resends. */
export const maxResendsPerClick = 200;

/** Number of deliveries that are sent at the same time. */
const batchSize = 20;

/** The deliveries that no attempt has delivered, with or without a planned retry, oldest first. */
export function failedDeliveries(account: Account): Delivery[] {
  return account.deliveries.rows.filter((delivery) => {
    const status = deliveryStatus(account, delivery);
    return status === 'failed' || status === 'retrying';
  });
}

/**
 * Resends the selected deliveries or all that failed, up to `maxResendsPerClick`, in batches: the oldest are in the
 * first. Stops when the receiver answers none of a batch, so that the user does not wait for many timeouts.
 * @throws ServiceError invalid, delivery-not-found; the errors of `resendDelivery`
 */
export async function resendDeliveries({ account, body, logDetails }: ActionRequest): Promise<ActionOutcome> {
  const deliveries = selectedDeliveries(account, body);
  const statuses: (number | null)[] = [];
  for (let start = 0; start < Math.min(deliveries.length, maxResendsPerClick); start += batchSize) {
    const batch = deliveries.slice(start, Math.min(start + batchSize, maxResendsPerClick));
    const outcomes = await Promise.all(batch.map((delivery) => resend(account, delivery)));
    statuses.push(...outcomes);
    if (outcomes.every((status) => status === null)) break;
  }
  logDetails(formatCount(statuses.length, 'delivery'));
  return { notice: { kind: 'done', content: html`<p>${resendSummary(deliveries.length, statuses)}</p>` } };
}

function selectedDeliveries(account: Account, body: object): Delivery[] {
  if (memberOf(body, 'which') === 'failed') return failedDeliveries(account);
  const ids = memberOf(body, 'ids');
  if (!Array.isArray(ids)) throw invalidField('ids', 'custom', { message: 'Select at least one delivery.' });
  const selectedIds = new Set(ids.map(String));
  // Throws for an unknown id, before anything is sent.
  for (const id of selectedIds) getDelivery(account, id);
  return account.deliveries.rows.filter(({ id }) => selectedIds.has(id));
}

/** Sends a delivery again. @returns the HTTP status of the receiver; null if it did not answer */
async function resend(account: Account, delivery: Delivery): Promise<number | null> {
  const { id } = await resendDelivery(account, delivery.id);
  return account.attemptsOfDelivery.all(id).at(-1)?.status ?? null;
}

/** The summary for the user: `3 deliveries resent: 2 delivered, 1 failed.` */
function resendSummary(selectedCount: number, statuses: readonly (number | null)[]): string {
  const sentCount = statuses.length;
  const deliveredCount = statuses.filter(isDelivered).length;
  const unsentCount = selectedCount - sentCount;
  const outcome = sentCount === 0 ? '' : `: ${deliveredCount} delivered, ${sentCount - deliveredCount} failed`;
  const isReceiverSilent = sentCount > 0 && statuses.slice(-batchSize).every((status) => status === null);
  const reason = isReceiverSilent ? 'the receiver does not answer' : `at most ${maxResendsPerClick} are sent per click`;
  return `${formatCount(sentCount, 'delivery')} resent${outcome}.${unsentCount > 0 ? ` ${unsentCount} not sent: ${reason}.` : ''}`;
}
