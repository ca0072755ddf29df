import { defaultFailureStatus } from '../../domain/faults.js';
import { checkedEffect } from '../effect.js';

/** Fails an attempt to deliver a webhook, which is not sent. `simulation/delivery/attempts.ts` applies it. */
export const receiverFails = checkedEffect({
  name: 'receiver-fails',
  summary: 'responds to an attempt to deliver a webhook with an error status, in place of the receiver',
  example: 'receiver-fails=503',
  valueOption: 'status',
  options: {
    status: {
      type: 'integer',
      minimum: 400,
      maximum: 599,
      default: defaultFailureStatus,
      description: 'status of the response, 400 to 599',
    },
  },
});
