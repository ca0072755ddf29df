import { defaultFailureStatus } from '../../domain/faults.js';
import { defineEffect } from '../effect.js';

interface Options {
  readonly status: number;
}

/** Status of the response to an attempt; null while there is none. */
type ResponseStatus = number | null;

/** Fails an attempt to send a message, without sending it. */
export const receiverFails = defineEffect<ResponseStatus, undefined, Options>(
  {
    name: 'receiver-fails',
    summary: 'responds to an attempt to deliver a webhook with an error status, in place of the receiver',
    example: 'receiver-fails=503',
    valueOption: 'status',
    options: { status: { type: 'integer', minimum: 400, maximum: 599, default: defaultFailureStatus } },
  },
  (_status, { status }) => status,
);
