import type { Attempt, Delivery } from '../../domain/records.js';
import type { components } from '../../generated/control-validated-types.js';
import type { Account } from '../../simulation/account.js';
import { deliveryStatus, getDelivery, resendDelivery } from '../../simulation/delivery/deliveries.js';
import { deliveryDueAt } from '../../simulation/state/apply-changes.js';
import type { ControlRoutes, ResultOf } from './operations.js';
import { pageOf } from './pagination.js';

export const deliveryRoutes = {
  listDeliveries: ({ account, query }) =>
    pageOf(query, {
      rows: account.deliveries.rows,
      view: (delivery) => deliverySummary(account, delivery),
      newestFirst: true,
    }),

  getDelivery: ({ account, name }) => deliveryView(account, getDelivery(account, name)),

  resendDelivery: async ({ account, name, logDetails }) => {
    const { id, event } = getDelivery(account, name);
    logDetails(`${event} ${id}`);
    return deliveryView(account, await resendDelivery(account, name));
  },
} satisfies Partial<ControlRoutes>;

/** Builds the fields that a delivery has both in lists and on its own. */
function commonFieldsOf(account: Account, delivery: Delivery): components['schemas']['DeliveryBase'] {
  const { id, event, subject, url, created_at, faults = [] } = delivery;
  return {
    id,
    event,
    subject,
    status: deliveryStatus(account, delivery),
    url,
    created_at,
    next_attempt_at: deliveryDueAt(account, delivery),
    faults: faults.flatMap(({ effects }) => effects.map(({ name }) => name)),
  };
}

/** Builds the list item of a delivery. */
export function deliverySummary(account: Account, delivery: Delivery): components['schemas']['DeliverySummary'] {
  return { ...commonFieldsOf(account, delivery), attempts: account.attemptsOfDelivery.all(delivery.id).length };
}

/** Builds a delivery with its attempts. */
export function deliveryView(account: Account, delivery: Delivery): ResultOf<'getDelivery'> {
  return {
    ...commonFieldsOf(account, delivery),
    body: delivery.body,
    attempts: account.attemptsOfDelivery.all(delivery.id).map(attemptView),
  };
}

/** Builds an attempt as the control API shows it: without ids, and with lists of faults even if they are empty. */
function attemptView({
  id: _id,
  delivery_id: _delivery,
  applied_faults = [],
  skipped_faults = [],
  ...attempt
}: Attempt): components['schemas']['Attempt'] {
  return { ...attempt, applied_faults, skipped_faults };
}
