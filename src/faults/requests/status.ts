import { contentType } from '../options.js';
import { defineRequestEffect } from './reply.js';

interface Options {
  readonly status: number;
  readonly error?: string;
  readonly body?: string;
  readonly type?: string;
}

/**
 * Responds with a chosen status: as the service would or, with a raw body such as an HTML page, as a proxy in front of it.
 */
export const status = defineRequestEffect<Options>(
  {
    name: 'status',
    summary:
      'responds with a status and an error of the service; below 400, with the documented example (nothing is stored)',
    example: 'status=503',
    valueOption: 'status',
    options: {
      status: { type: 'integer', minimum: 200, maximum: 599, description: '200 to 599' },
      error: { type: 'string', maxLength: 1_000, description: 'the `error` of the response body' },
      body: {
        type: 'string',
        maxLength: 100_000,
        description: 'a body that replaces the JSON of the service, such as the HTML of a gateway',
      },
      type: { ...contentType, description: 'the content type of such a body' },
    },
    required: ['status'],
  },
  (reply, { status, error, body, type }, { envelopeOf }) => ({
    ...reply,
    status,
    body: body ?? (error === undefined ? envelopeOf(status) : JSON.stringify({ success: false, error })),
    // A raw body stands for the response of a proxy, which does not set the headers of the service.
    ...(body === undefined ? {} : { headers: {}, contentType: type ?? typeOf(body) }),
  }),
);

function typeOf(body: string): string | null {
  if (body === '') return null;
  return body.startsWith('<') ? 'text/html' : 'text/plain';
}
