import { isObject } from '../json.js';
import type { ServiceResponse } from '../world.js';
import { convertFieldToString, type Fault, faultOnSuccess, hasErrorFor, inData, removeFields } from './fault.js';

// Sections of the specification whose sentences these faults break.
const envelopeSection = 'Common response envelope';
const pagingSection = 'Pagination envelope';
const errorSection = 'Errors';

/** Returns a function that changes responses with these statuses. */
const onErrorStatus =
  (change: (response: ServiceResponse) => void, ...statuses: number[]) =>
  (response: ServiceResponse): void => {
    if (statuses.includes(response.status)) change(response);
  };

/** Faults by id. Those that have only `breaks`, and perhaps `inferred`, are implemented elsewhere: see `Fault`. */
export const envelopeFaults = {
  'success-string': {
    breaks: `${envelopeSection}: "success | boolean" (a string in the payment list)`,
    operations: ['payment-list'],
    change: ({ body }) => convertFieldToString('success')(body),
  },
  'success-missing': faultOnSuccess(
    'deposit-detail',
    `${envelopeSection}: "success | boolean | true on success" (absent from the deposit detail)`,
    ({ body }) => removeFields('success')(body),
  ),
  'success-false': {
    breaks: `${envelopeSection}: "true on success" (false on the overdue list)`,
    operations: ['invoice-overdue'],
    change: ({ body }) => {
      body['success'] = false;
    },
  },
  'data-renamed': {
    breaks: `${envelopeSection}: "data | payload of the call" (called payment_link when a link is created)`,
    operations: ['link-create'],
    change: ({ body }) => {
      body['payment_link'] = body['data'] ?? null;
      delete body['data'];
    },
  },
  'data-at-top-level': {
    breaks: `${envelopeSection}: "data | payload of the call" (the fields of the statistics are at the top level)`,
    operations: ['invoice-stats'],
    change: ({ body }) => {
      if (isObject(body['data'])) Object.assign(body, body['data']);
      delete body['data'];
    },
  },
  'message-array': {
    breaks: `${envelopeSection}: "message | string" (an array when a link is created)`,
    operations: ['link-create'],
    change: ({ body }) => {
      if (body['success'] === true) body['message'] = ['Payment link created'];
    },
  },
  'response-not-json': faultOnSuccess(
    'deposit-detail',
    'What the service does: "Requests and responses are JSON" (the detail of a deposit is HTML)',
    (response) => {
      response.text = '<html><body>Deposit</body></html>';
      response.headers['Content-Type'] = 'text/html';
    },
  ),
  'response-invalid-json': {
    breaks: 'What the service does: "Requests and responses are JSON" (a comma before the last brace of the link list)',
    operations: ['link-list'],
    change: (response) => {
      response.text = JSON.stringify(response.body).replace(/\}$/, ',}');
    },
  },

  'page-number-string': {
    breaks: `${pagingSection}: "current_page | integer" (a string in the invoice list)`,
    operations: ['invoice-list'],
    change: inData(convertFieldToString('current_page')),
  },
  'page-number-always-1': {
    breaks: `${pagingSection}: "current_page | page number returned" (always 1)`,
    operations: ['invoice-list'],
    change: inData((page) => {
      page['current_page'] = 1;
    }),
  },
  'page-number-from-zero': {
    breaks: `${pagingSection}: "current_page | page number returned" (counted from 0 in the payment list)`,
    operations: ['payment-list'],
    change: inData((page) => {
      page['current_page'] = Number(page['current_page']) - 1;
    }),
  },
  'page-size-always-25': {
    breaks: `${pagingSection}: "per_page | page size in effect" (always 25 in the invoice list)`,
    operations: ['invoice-list'],
    change: inData((page) => {
      page['per_page'] = 25;
    }),
  },
  'page-size-string': {
    breaks: `${pagingSection}: "per_page | integer" (a string in the payment list)`,
    operations: ['payment-list'],
    change: inData(convertFieldToString('per_page')),
  },
  'page-size-missing': {
    breaks: `${pagingSection}: "per_page" (absent from the link list)`,
    operations: ['link-list'],
    change: inData(removeFields('per_page')),
  },
  'total-string': {
    breaks: `${pagingSection}: "total | integer" (a string in the link list)`,
    operations: ['link-list'],
    change: inData(convertFieldToString('total')),
  },
  'total-of-page': {
    breaks: `${pagingSection}: "total | total number of records" (in the invoice list, the number on the page)`,
    operations: ['invoice-list'],
    change: inData((page) => {
      if (Array.isArray(page['data'])) page['total'] = page['data'].length;
    }),
  },
  'total-missing': {
    breaks: `${pagingSection}: "total" (absent from the payment list)`,
    operations: ['payment-list'],
    change: inData(removeFields('total')),
  },
  'records-renamed': {
    breaks: `${pagingSection}: "data | array | the records of this page" (called items in the payment list)`,
    operations: ['payment-list'],
    change: inData((page) => {
      page['items'] = page['data'] ?? null;
      delete page['data'];
    }),
  },
  'records-object': {
    breaks: `${pagingSection}: "data | array" (an object in the deposit list)`,
    operations: ['deposit-list'],
    change: inData((page) => {
      if (Array.isArray(page['data'])) page['data'] = Object.fromEntries(page['data'].entries());
    }),
  },
  'list-bare-array': {
    breaks: `${pagingSection}: "The list payload in data is an object" (a bare array in the link list)`,
    operations: ['link-list'],
    change: ({ body }) => {
      if (isObject(body['data'])) body['data'] = body['data']['data'] ?? null;
    },
  },
  'last-page-missing': {
    breaks: `${pagingSection}: "last_page | present in the invoice list"`,
    operations: ['invoice-list'],
    change: inData(removeFields('last_page')),
  },
  'last-page-string': {
    breaks: `${pagingSection}: "last_page | integer"`,
    operations: ['invoice-list'],
    change: inData(convertFieldToString('last_page')),
  },
  'last-page-too-high': {
    breaks: `${pagingSection}: "last_page" with "total" and "per_page" (too high by one)`,
    inferred: true,
    operations: ['invoice-list'],
    change: inData((page) => {
      page['last_page'] = Number(page['last_page']) + 1;
    }),
  },
  'page-repeats-record': {
    breaks: 'GET /invoices: "page | page number" (a later page repeats the last record of the one before)',
  },
  'page-skips-record': { breaks: 'GET /invoices: "page | page number" (a record is on no page)' },
  'page-ignored': { breaks: 'GET /invoices: "page | page number" (the records are always those of page 1)' },
  'page-without-size-ignored': { breaks: 'GET /invoices: "page | page number" (ignored without per_page)' },
  'page-size-negative-unlimited': {
    breaks: 'Limits: "per_page maximum | 100" (a negative number removes the limit)',
  },
  'third-page-repeats-record': {
    breaks: 'GET /invoices: "page | page number" (the third page repeats the last record of the second)',
  },
  'last-page-incomplete': { breaks: 'GET /invoices: "page | page number" (the last page lacks a record)' },
  'page-default-2': { breaks: 'GET /invoices and Limits: "page | default 1"' },
  'page-too-full': { breaks: `${pagingSection}: "per_page | page size in effect" (a page has one record too many)` },

  'error-success-true': {
    breaks: `${errorSection}: "success | false" (true on 404)`,
    change: onErrorStatus(({ body }) => {
      body['success'] = true;
    }, 404),
  },
  'error-success-missing': {
    breaks: `${errorSection}: "success | boolean | false" (absent when a body is refused)`,
    operations: ['invoice-create', 'link-create', 'deposit-create'],
    change: onErrorStatus(({ body }) => removeFields('success')(body), 400, 422),
  },
  'error-text-missing': {
    breaks: `${errorSection}: "error | string" (called message when a body is refused)`,
    operations: ['invoice-create', 'link-create', 'deposit-create'],
    change: onErrorStatus(
      ({ body }) => {
        body['message'] = body['error'] ?? null;
        delete body['error'];
      },
      400,
      422,
    ),
  },
  'error-object': {
    breaks: `${errorSection}: "error | string" (an object if the token or its scope is missing)`,
    change: onErrorStatus(
      ({ body }) => {
        body['error'] = { code: 'unauthorized' };
      },
      401,
      403,
    ),
  },
  'error-fields-string': {
    breaks: `${errorSection}: "errors | maps a field name to an array of validation message strings" (to a single string)`,
    change: ({ body }) => {
      if (!isObject(body['errors'])) return;
      for (const [field, messages] of Object.entries(body['errors'])) {
        if (Array.isArray(messages)) body['errors'][field] = messages.join(' ');
      }
    },
  },
  'error-fields-array': {
    breaks: `${errorSection}: "errors | object" (an array)`,
    change: ({ body }) => {
      if (isObject(body['errors'])) body['errors'] = Object.values(body['errors']).flat();
    },
  },
  'error-html': {
    breaks: `${errorSection}: error envelope, and "Requests and responses are JSON" (HTML for an unknown deposit)`,
    operations: ['deposit-detail'],
    change: onErrorStatus((response) => {
      response.text = '<h1>Not Found</h1>';
      response.headers['Content-Type'] = 'text/html';
    }, 404),
  },
  'malformed-json-of-invoice-refused-in-text': {
    breaks: `${errorSection}: error envelope (plain text for an invoice that is not valid JSON)`,
    inferred: true,
    operations: ['invoice-create'],
    change: onErrorStatus((response) => {
      response.text = 'Bad Request';
    }, 400),
  },
  'payment-page-error-bare': {
    breaks: `${errorSection}: error envelope (only errors, for an invalid page of payments)`,
    operations: ['payment-list'],
    change: (response) => {
      if (hasErrorFor(response, 'page', 'per_page')) removeFields('success', 'error')(response.body);
    },
  },
  'used-key-error-bare': {
    breaks: `${errorSection}: error envelope (only a message, for a used Idempotency-Key)`,
    operations: ['deposit-create'],
    change: onErrorStatus((response) => {
      if (!('errors' in response.body)) response.text = '{"message":"Conflict"}';
    }, 422),
  },
  'malformed-json-refused-in-text': {
    breaks: `${errorSection}: error envelope (plain text for a body that is not valid JSON)`,
    inferred: true,
    change: onErrorStatus((response) => {
      response.text = 'Bad Request';
      response.headers['Content-Type'] = 'text/plain';
    }, 400),
  },
  'error-problem-json': {
    breaks: `${errorSection}: error envelope (RFC 9457 instead, for an unknown invoice)`,
    operations: ['invoice-detail'],
    change: onErrorStatus((response) => {
      response.text = JSON.stringify({ type: 'about:blank', title: 'Not Found', status: 404 });
    }, 404),
  },
} satisfies Record<string, Fault>;
