import { contentType } from '../options.js';
import { defineRequestEffect } from './reply.js';

interface Options {
  readonly status: number;
  readonly error?: string;
  readonly body?: string;
  readonly type?: string;
}

/**
 * Responds with a chosen status, as the service would. With a raw body, such as an HTML page, it responds as a proxy in
 * front of the service would.
 */
export const status = defineRequestEffect<Options>(
  {
    name: 'status',
    summary:
      'responds with a status and an error of the service, or, below 400, with the example from the OpenAPI document, instead of handling the request',
    example: 'status=503',
    valueOption: 'status',
    options: {
      status: { type: 'integer', minimum: 200, maximum: 599, description: '200 to 599' },
      error: { type: 'string', maxLength: 1_000, description: 'the `error` of the response body' },
      body: {
        type: 'string',
        maxLength: 100_000,
        description:
          "a body that replaces the service's: JSON, or text such as the HTML page of a gateway; the text inside quotes is sent unchanged",
      },
      type: {
        ...contentType,
        description: 'the content type of `body`; default: HTML, JSON or plain text, by its first character',
      },
    },
    required: ['status'],
    prevents: ['request-handled'],
  },
  (reply, { status, error, body, type }, { bodyForStatus }) => ({
    ...reply,
    status,
    body: body ?? (error === undefined ? bodyForStatus(status) : JSON.stringify({ success: false, error })),
    // A raw body stands for the response of a proxy, which does not set the headers of the service.
    ...(body === undefined ? {} : { headers: {}, contentType: type ?? guessContentType(body) }),
  }),
);

function guessContentType(body: string): string | null {
  if (body === '') return null;
  if (/^[[{]/.test(body)) return 'application/json';
  return body.startsWith('<') ? 'text/html' : 'text/plain';
}
