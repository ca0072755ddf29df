import { duration, millisecondsOf } from '../options.js';
import { defineRequestEffect } from './reply.js';

interface Options {
  readonly for: string;
  readonly error: string;
}

const defaultDuration = '10m';

/** Duration of maintenance in milliseconds, if its fault has no other end. @param length the `for` option, if given */
export function maintenanceMs(length: unknown = defaultDuration): number {
  return millisecondsOf(String(length));
}

/** Simulates an outage with a known end. */
export const maintenance = defineRequestEffect<Options>(
  {
    name: 'maintenance',
    summary: 'responds with 503 and the time until its end as Retry-After; ends after ten minutes by default',
    example: 'maintenance=10m',
    valueOption: 'for',
    options: {
      for: { ...duration, default: defaultDuration, description: 'how long it lasts, if the fault has no other end' },
      error: {
        type: 'string',
        maxLength: 1_000,
        default: 'Down for maintenance',
        description: 'the `error` of the response body',
      },
    },
    prevents: ['request-handled'],
  },
  (reply, options, { now, until }) => {
    const remainingMs = until === null ? maintenanceMs(options.for) : until - now;
    return {
      ...reply,
      status: 503,
      body: JSON.stringify({ success: false, error: options.error }),
      headers: { ...reply.headers, 'Retry-After': Math.max(1, Math.ceil(remainingMs / 1_000)) },
    };
  },
);
