import { millisecondsOf, shortDuration } from '../options.js';
import { defineRequestEffect } from './reply.js';

interface Options {
  readonly min: string;
  readonly max?: string;
}

/** Delays only the response, not the handler. */
export const latency = defineRequestEffect<Options>(
  {
    name: 'latency',
    summary: 'delays the response by a fixed time, or a random time in a range',
    example: 'latency=200ms;max=2s',
    valueOption: 'min',
    options: {
      min: { ...shortDuration, description: 'the delay, or the shortest one of a range' },
      max: { ...shortDuration, 'x-not-below': 'min', description: 'the longest delay of a range' },
    },
    required: ['min'],
    needs: 'request-ended',
  },
  (reply, { min, max = min }, { random }) => {
    const [from, to] = [millisecondsOf(min), millisecondsOf(max)];
    return { ...reply, delayMs: reply.delayMs + Math.round(from + random() * (to - from)) };
  },
);
