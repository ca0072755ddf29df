import { usualFailure } from '../../domain/faults.js';
import { defineEffect } from '../effect.js';

interface Options {
  readonly status: number;
}

/** The status of an attempt's answer. */
type Answered = number | null;

/** An attempt is answered as by a receiver that fails, and no receiver is asked. */
export const receiverFails = defineEffect<Answered, undefined, Options>(
  {
    name: 'receiver-fails',
    summary: 'fails an attempt to deliver a webhook with a status, instead of calling the receiver',
    example: 'receiver-fails=503',
    value: 'status',
    options: { status: { type: 'integer', minimum: 400, maximum: 599, default: usualFailure } },
  },
  (_answered, { status }) => status,
);
