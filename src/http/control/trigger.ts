import { invalidField } from '../../domain/service-error.js';
import { trigger } from '../../simulation/scenarios/trigger.js';
import type { World } from '../../simulation/world.js';
import type { ControlRoutes } from './operations.js';
import { readRecordId } from './parse-fields.js';

export function triggerRoutes({ accounts }: World) {
  return {
    triggerEvent: ({ account, body: { event, deposit, payment_link }, logDetails }) => {
      // A payment is made through a payment link; all other events are about a deposit.
      if (event === 'payment.succeeded') {
        if (deposit !== undefined)
          throw invalidField('deposit', 'custom', {
            message: `deposit: ${event} can only be triggered on a payment link`,
          });
      } else if (payment_link !== undefined)
        throw invalidField('payment_link', 'custom', {
          message: `payment_link: ${event} can only be triggered on a deposit`,
        });
      logDetails(event);
      const deliveries: string[] = [];
      const stopWatching = account.watch((step) => {
        // The id of an event is also the id of its delivery.
        if (step.kind === 'event') deliveries.push(step.id);
      });
      try {
        const depositId = deposit === undefined ? undefined : readRecordId(deposit);
        return { subject: trigger(account, accounts, { event, deposit: depositId, payment_link }), deliveries };
      } finally {
        stopWatching();
      }
    },
  } satisfies Partial<ControlRoutes>;
}
