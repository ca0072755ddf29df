import { duration, millisecondsOf } from '../options.js';
import { defineRequestEffect } from './reply.js';

interface Options {
  readonly for: string;
  readonly error: string;
}

/** Simulates an outage with a known end. */
export const maintenance = defineRequestEffect<Options>(
  {
    name: 'maintenance',
    summary: 'responds with 503 and the end of the fault as Retry-After',
    example: 'maintenance=10m',
    valueOption: 'for',
    options: {
      for: { ...duration, default: '10m', description: 'Retry-After of a fault that has no end' },
      error: {
        type: 'string',
        maxLength: 1_000,
        default: 'Down for maintenance',
        description: 'the `error` of the response body',
      },
    },
  },
  (reply, options, { now, until }) => {
    const remainingMs = until === null ? millisecondsOf(options.for) : until - now;
    return {
      ...reply,
      status: 503,
      body: JSON.stringify({ success: false, error: options.error }),
      headers: { ...reply.headers, 'Retry-After': Math.max(1, Math.ceil(remainingMs / 1_000)) },
    };
  },
);
