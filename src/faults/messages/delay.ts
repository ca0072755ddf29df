import { duration } from '../options.js';
import { defineMessageEffect, noted } from './message.js';

interface Options {
  readonly by: string;
}

/** The delay is set with the commit of the event: see `domain/holds.ts`. */
export const delay = defineMessageEffect<Options>(
  {
    name: 'delay',
    summary: "sends the message later, on the account's clock",
    example: 'delay=5m',
    value: 'by',
    options: { by: duration },
    required: ['by'],
  },
  (treatment) => noted(treatment, 'delay'),
);
