import { isObject } from '../json.js';
import type { Answer } from '../world.js';
import { type Fault, inData, numberAsString, onSuccess, without } from './fault.js';

const envelope = 'Common response envelope';
const paging = 'Pagination envelope';
const error = 'Errors';

const whenRefused =
  (change: (answer: Answer) => void, ...statuses: number[]) =>
  (answer: Answer): void => {
    const applies = statuses.length === 0 ? answer.status >= 400 : statuses.includes(answer.status);
    if (applies) change(answer);
  };

export const envelopeFaults = {
  'success-text': {
    breaks: `${envelope}: "success | boolean" (text in the payment list)`,
    on: ['payment-list'],
    change: ({ body }) => numberAsString('success')(body),
  },
  'success-missing': onSuccess(
    'deposit-detail',
    `${envelope}: "success | boolean | true on success" (absent from the deposit detail)`,
    ({ body }) => without('success')(body),
  ),
  'success-false': {
    breaks: `${envelope}: "true on success" (false on the overdue list)`,
    on: ['invoice-overdue'],
    change: ({ body }) => {
      body['success'] = false;
    },
  },
  'data-renamed': {
    breaks: `${envelope}: "data | payload of the call" (called payment_link when a link is created)`,
    on: ['link-create'],
    change: ({ body }) => {
      body['payment_link'] = body['data'] ?? null;
      delete body['data'];
    },
  },
  'data-bare': {
    breaks: `${envelope}: "data | payload of the call" (the statistics stand at top level)`,
    on: ['invoice-stats'],
    change: ({ body }) => {
      if (isObject(body['data'])) Object.assign(body, body['data']);
      delete body['data'];
    },
  },
  'message-list': {
    breaks: `${envelope}: "message | string" (a list when a link is created)`,
    on: ['link-create'],
    change: ({ body }) => {
      if (body['success'] === true) body['message'] = ['Payment link created'];
    },
  },
  'answer-no-json': onSuccess(
    'deposit-detail',
    'What the service does: "Requests and responses are JSON" (the detail of a deposit is HTML)',
    (answer) => {
      answer.text = '<html><body>Deposit</body></html>';
      answer.headers['Content-Type'] = 'text/html';
    },
  ),
  'answer-broken-json': {
    breaks: 'What the service does: "Requests and responses are JSON" (a comma before the last brace of the link list)',
    on: ['link-list'],
    change: (answer) => {
      answer.text = JSON.stringify(answer.body).replace(/\}$/, ',}');
    },
  },

  'page-number-text': {
    breaks: `${paging}: "current_page | integer" (text in the invoice list)`,
    on: ['invoice-list'],
    change: inData(numberAsString('current_page')),
  },
  'page-number-stuck': {
    breaks: `${paging}: "current_page | page number returned" (always 1)`,
    on: ['invoice-list'],
    change: inData((page) => {
      page['current_page'] = 1;
    }),
  },
  'page-number-from-zero': {
    breaks: `${paging}: "current_page | page number returned" (counted from 0 in the payment list)`,
    on: ['payment-list'],
    change: inData((page) => {
      page['current_page'] = Number(page['current_page']) - 1;
    }),
  },
  'page-size-echo': {
    breaks: `${paging}: "per_page | page size in effect" (always 25 in the invoice list)`,
    on: ['invoice-list'],
    change: inData((page) => {
      page['per_page'] = 25;
    }),
  },
  'page-size-text': {
    breaks: `${paging}: "per_page | integer" (text in the payment list)`,
    on: ['payment-list'],
    change: inData(numberAsString('per_page')),
  },
  'page-size-missing': {
    breaks: `${paging}: "per_page" (absent from the link list)`,
    on: ['link-list'],
    change: inData(without('per_page')),
  },
  'total-text': {
    breaks: `${paging}: "total | integer" (text in the link list)`,
    on: ['link-list'],
    change: inData(numberAsString('total')),
  },
  'total-of-page': {
    breaks: `${paging}: "total | total number of records" (those of the page, in the invoice list)`,
    on: ['invoice-list'],
    change: inData((page) => {
      if (Array.isArray(page['data'])) page['total'] = page['data'].length;
    }),
  },
  'total-missing': {
    breaks: `${paging}: "total" (absent from the payment list)`,
    on: ['payment-list'],
    change: inData(without('total')),
  },
  'records-renamed': {
    breaks: `${paging}: "data | array | the records of this page" (called items in the payment list)`,
    on: ['payment-list'],
    change: inData((page) => {
      page['items'] = page['data'] ?? null;
      delete page['data'];
    }),
  },
  'records-keyed': {
    breaks: `${paging}: "data | array" (an object in the deposit list)`,
    on: ['deposit-list'],
    change: inData((page) => {
      if (Array.isArray(page['data'])) page['data'] = Object.fromEntries(page['data'].entries());
    }),
  },
  'list-without-page': {
    breaks: `${paging}: "The list payload in data is an object" (a bare array in the link list)`,
    on: ['link-list'],
    change: ({ body }) => {
      if (isObject(body['data'])) body['data'] = body['data']['data'] ?? null;
    },
  },
  'last-page-missing': {
    breaks: `${paging}: "last_page | present in the invoice list"`,
    on: ['invoice-list'],
    change: inData(without('last_page')),
  },
  'last-page-text': {
    breaks: `${paging}: "last_page | integer"`,
    on: ['invoice-list'],
    change: inData(numberAsString('last_page')),
  },
  'last-page-one-more': {
    breaks: `${paging}: "last_page" with "total" and "per_page" (one more than there are)`,
    inferred: true,
    on: ['invoice-list'],
    change: inData((page) => {
      page['last_page'] = Number(page['last_page']) + 1;
    }),
  },
  'page-repeats-record': {
    breaks: 'GET /invoices: "page | page number" (a later page repeats the last record of the one before)',
  },
  'page-skips-record': { breaks: 'GET /invoices: "page | page number" (a record lies on no page)' },
  'page-ignored': { breaks: 'GET /invoices: "page | page number" (the records are always those of page 1)' },
  'page-default-2': { breaks: 'GET /invoices and Limits: "page | default 1"' },
  'page-too-full': { breaks: `${paging}: "per_page | page size in effect" (a page holds one record more)` },

  'error-success-true': {
    breaks: `${error}: "success | false" (true on 404)`,
    change: whenRefused(({ body }) => {
      body['success'] = true;
    }, 404),
  },
  'error-success-missing': {
    breaks: `${error}: "success | boolean | false" (absent on a refused body)`,
    on: ['invoice-create', 'link-create', 'deposit-create'],
    change: whenRefused(({ body }) => without('success')(body), 400, 422),
  },
  'error-text-missing': {
    breaks: `${error}: "error | string" (only message, on a refused body)`,
    on: ['invoice-create', 'link-create', 'deposit-create'],
    change: whenRefused(
      ({ body }) => {
        body['message'] = body['error'] ?? null;
        delete body['error'];
      },
      400,
      422,
    ),
  },
  'error-object': {
    breaks: `${error}: "error | string" (an object on a missing token or scope)`,
    change: whenRefused(
      ({ body }) => {
        body['error'] = { code: 'unauthorized' };
      },
      401,
      403,
    ),
  },
  'error-fields-text': {
    breaks: `${error}: "errors | maps a field name to an array of validation message strings" (to one string)`,
    change: ({ body }) => {
      if (!isObject(body['errors'])) return;
      for (const [field, messages] of Object.entries(body['errors'])) {
        if (Array.isArray(messages)) body['errors'][field] = messages.join(' ');
      }
    },
  },
  'error-fields-list': {
    breaks: `${error}: "errors | object" (an array)`,
    change: ({ body }) => {
      if (isObject(body['errors'])) body['errors'] = Object.values(body['errors']).flat();
    },
  },
  'error-html': {
    breaks: `${error}: error envelope, and "Requests and responses are JSON" (HTML for an unknown deposit)`,
    on: ['deposit-detail'],
    change: whenRefused((answer) => {
      answer.text = '<h1>Not Found</h1>';
      answer.headers['Content-Type'] = 'text/html';
    }, 404),
  },
  'error-problem-json': {
    breaks: `${error}: error envelope (RFC 9457 in its place, for an unknown invoice)`,
    on: ['invoice-detail'],
    change: whenRefused((answer) => {
      answer.text = JSON.stringify({ type: 'about:blank', title: 'Not Found', status: 404 });
    }, 404),
  },
} satisfies Record<string, Fault>;
