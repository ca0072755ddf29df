import { defineRequestEffect } from './reply.js';

interface Options {
  readonly bytes?: number;
}

/** Breaks the connection in the middle of the response. A client must not treat such a response as complete. */
export const truncate = defineRequestEffect<Options>(
  {
    name: 'truncate',
    summary:
      'announces the whole body in Content-Length, sends only half of it or the given number of bytes, and closes the connection',
    example: 'truncate=20',
    valueOption: 'bytes',
    options: { bytes: { type: 'integer', minimum: 0, maximum: 10_000_000, description: 'number of bytes to send' } },
    needs: 'response-sent',
  },
  (reply, { bytes }) => ({ ...reply, bytesToSend: bytes ?? 'half' }),
);
