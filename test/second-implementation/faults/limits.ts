import type { ServiceResponse } from '../world.js';
import { type Fault, removeFields } from './fault.js';

const sentence = 'Limits: "Every response carries the rate-limit headers"';
const allHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

const withoutHeaders = (...names: string[]): Fault => ({
  breaks: `${sentence} (no ${names.join(', ')})`,
  change: removeHeaders(...names),
});

/** Returns a fault that removes all rate-limit headers from some responses, which `description` names. */
const withoutHeadersOn = (description: string, isAffected: (response: ServiceResponse) => boolean): Fault => ({
  breaks: `${sentence} (not on ${description})`,
  change: (response) => {
    if (isAffected(response)) removeHeaders(...allHeaders)(response);
  },
});

function removeHeaders(...names: string[]): (response: ServiceResponse) => void {
  return ({ headers }) => {
    for (const name of names) delete headers[name];
  };
}

/** Faults by id. Those that have only `breaks`, and perhaps `inferred`, are implemented elsewhere: see `Fault`. */
export const limitFaults = {
  'rate-limit-missing': withoutHeaders('X-RateLimit-Limit'),
  'rate-remaining-missing': withoutHeaders('X-RateLimit-Remaining'),
  'rate-reset-missing': withoutHeaders('X-RateLimit-Reset'),
  'rate-missing-on-201': {
    ...withoutHeadersOn('the response that creates an invoice', ({ status }) => status === 201),
    operations: ['invoice-create'],
  },
  'rate-missing-on-unauthenticated': withoutHeadersOn(
    'a response to a request with an unknown or missing token',
    ({ status }) => status === 401,
  ),
  'rate-missing-on-scope': withoutHeadersOn('a response to a token without the scope', ({ status }) => status === 403),
  'rate-missing-on-404': withoutHeadersOn('a 404 response', ({ status }) => status === 404),
  'rate-missing-on-refused': {
    ...withoutHeadersOn('a response to an invalid body', ({ status }) => status === 400 || status === 422),
    operations: ['invoice-create', 'link-create', 'deposit-create'],
  },
  'rate-missing-on-429': withoutHeadersOn('a 429 response', ({ status }) => status === 429),
  'rate-missing-on-overdue': { ...withoutHeaders(...allHeaders), operations: ['invoice-overdue'] },
  'rate-limit-with-unit': {
    breaks: 'Limits: "X-RateLimit-Limit | requests allowed in the window" (not a number)',
    change: ({ headers }) => {
      headers['X-RateLimit-Limit'] = `${headers['X-RateLimit-Limit']} per minute`;
    },
  },
  'rate-remaining-constant': {
    breaks: 'Limits: "X-RateLimit-Remaining | requests left in the window" (never goes down)',
    change: ({ headers }) => {
      headers['X-RateLimit-Remaining'] = headers['X-RateLimit-Limit'] ?? '';
    },
  },
  'rate-remaining-counts-used': {
    breaks: 'Limits: "X-RateLimit-Remaining | requests left in the window" (the number of used requests)',
    change: ({ headers }) => {
      const used = Number(headers['X-RateLimit-Limit']) - Number(headers['X-RateLimit-Remaining']);
      headers['X-RateLimit-Remaining'] = String(used);
    },
  },
  'rate-reset-past': {
    breaks: 'Limits: "X-RateLimit-Reset | time at which the window resets" (a time long past)',
    change: ({ headers }) => {
      headers['X-RateLimit-Reset'] = '2020-01-01T00:00:00+00:00';
    },
  },
  'rate-reset-empty': {
    breaks: 'Limits: "X-RateLimit-Reset | time at which the window resets" (empty)',
    change: ({ headers }) => {
      headers['X-RateLimit-Reset'] = '';
    },
  },
  'rate-halved': { breaks: 'Limits: "60 requests per minute" (the limit is half of that, in the headers too)' },
  'rate-refused-early': {
    breaks:
      'Limits: "X-RateLimit-Limit | requests allowed in the window" (requests are refused after half that number)',
  },
  'rate-not-enforced': { breaks: 'Limits: "100 requests per minute" (no limit is enforced)', inferred: true },
  'rate-never-resets': { breaks: 'Limits: "requests per minute", "time at which the window resets" (it never resets)' },
  'rate-excess-success': {
    breaks: 'Errors: "success | false" (true on 429)',
    change: ({ status, body }) => {
      if (status === 429) body['success'] = true;
    },
  },
  'rate-excess-error-missing': {
    breaks: 'Errors: "error | description of the error" (absent on 429)',
    change: ({ status, body }) => {
      if (status === 429) removeFields('error')(body);
    },
  },
} satisfies Record<string, Fault>;
