import { millisecondsOf, shortDuration } from '../options.js';
import { defineRequestEffect } from './reply.js';

interface Options {
  readonly pause: string;
  readonly bytes: number;
}

/** Sends the status and the headers without delay, and the body slowly. */
export const slowBody = defineRequestEffect<Options>(
  {
    name: 'slow-body',
    summary: 'sends the body in small chunks, with a pause before each',
    example: 'slow-body=100ms;bytes=64',
    valueOption: 'pause',
    options: {
      pause: { ...shortDuration, default: '100ms', description: 'length of a pause' },
      bytes: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 64, description: 'bytes in a chunk' },
    },
    needs: 'response-sent',
  },
  (reply, { pause, bytes }) => ({ ...reply, chunking: { bytes, pauseMs: millisecondsOf(pause) } }),
);
