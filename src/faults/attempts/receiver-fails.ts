import { defaultFailureStatus } from '../../domain/faults.js';
import { checkedEffect } from '../effect.js';

/** Makes a delivery attempt fail without sending the webhook. `simulation/delivery/attempts.ts` applies this effect. */
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
