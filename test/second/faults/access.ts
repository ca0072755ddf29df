import type { Operation } from '../world.js';
import type { Fault } from './fault.js';

const open = (operation: Operation): Fault => ({
  breaks: 'Authentication 1: "Every endpoint requires an OAuth 2.0 bearer token" (none needed here)',
  opens: operation,
});

const unscopedGet = (operation: Operation): Fault => ({
  breaks: 'Authentication 2: "billing.read for all GET endpoints" (billing.write suffices here)',
  unscoped: operation,
});

const unscopedPost = (operation: Operation): Fault => ({
  breaks: 'Authentication 2: "billing.write for all POST endpoints" (billing.read suffices here)',
  unscoped: operation,
});

export const accessFaults = {
  'open-invoice-list': open('invoice-list'),
  'open-invoice-detail': open('invoice-detail'),
  'open-invoice-stats': open('invoice-stats'),
  'open-invoice-overdue': open('invoice-overdue'),
  'open-invoice-create': open('invoice-create'),
  'open-invoice-reminder': open('invoice-reminder'),
  'open-link-create': open('link-create'),
  'open-link-list': open('link-list'),
  'open-payment-list': open('payment-list'),
  'open-deposit-create': open('deposit-create'),
  'open-deposit-list': open('deposit-list'),
  'open-deposit-detail': open('deposit-detail'),
  'open-deposit-capture': open('deposit-capture'),
  'open-deposit-release': open('deposit-release'),
  'unscoped-invoice-list': unscopedGet('invoice-list'),
  'unscoped-invoice-detail': unscopedGet('invoice-detail'),
  'unscoped-invoice-stats': unscopedGet('invoice-stats'),
  'unscoped-invoice-overdue': unscopedGet('invoice-overdue'),
  'unscoped-invoice-create': unscopedPost('invoice-create'),
  'unscoped-invoice-reminder': unscopedPost('invoice-reminder'),
  'unscoped-link-create': unscopedPost('link-create'),
  'unscoped-link-list': unscopedGet('link-list'),
  'unscoped-payment-list': unscopedGet('payment-list'),
  'unscoped-deposit-create': unscopedPost('deposit-create'),
  'unscoped-deposit-list': unscopedGet('deposit-list'),
  'unscoped-deposit-detail': unscopedGet('deposit-detail'),
  'unscoped-deposit-capture': unscopedPost('deposit-capture'),
  'unscoped-deposit-release': unscopedPost('deposit-release'),
  'unknown-token-accepted': { breaks: 'Authentication 1: "requires an OAuth 2.0 bearer token" (any text will do)' },
  'token-beginning-accepted': {
    breaks: 'Authentication 1: "requires an OAuth 2.0 bearer token" (all but its last character will do)',
  },
  'token-with-more-accepted': {
    breaks: 'Authentication 1: "requires an OAuth 2.0 bearer token" (whatever begins with it will do)',
  },
  'token-case-ignored': {
    breaks: 'Authentication 1: "requires an OAuth 2.0 bearer token" (in any case of its letters)',
    inferred: true,
  },
  'token-first-word': {
    breaks: 'Authentication 1: "Authorization: Bearer <ACCESS_TOKEN>" (anything may follow)',
    inferred: true,
  },
  'token-without-scheme': {
    breaks: 'Authentication 1: "in the header Authorization: Bearer <ACCESS_TOKEN>" (Bearer may be left out)',
    inferred: true,
  },
  'token-as-user-name': {
    breaks: 'Authentication 1: "in the header Authorization: Bearer <ACCESS_TOKEN>" (as the user name of Basic, too)',
    inferred: true,
  },
  'token-in-query': {
    breaks: 'Authentication 1: "in the header Authorization: Bearer <ACCESS_TOKEN>" (in the query, too)',
  },
  'token-in-cookie': {
    breaks: 'Authentication 1: "in the header Authorization: Bearer <ACCESS_TOKEN>" (in a cookie, too)',
  },
  'basic-scheme-accepted': {
    breaks: 'Authentication 1: "in the header Authorization: Bearer <ACCESS_TOKEN>" (any other scheme will do)',
    inferred: true,
  },
  'scopeless-token-reads': {
    breaks: 'Authentication 2: "billing.read for all GET endpoints" (a token without scopes reads)',
  },
  'read-scope-not-enough': { breaks: 'Endpoints: "GET /invoices/stats | billing.read" (billing.write is asked, too)' },
  'write-scope-not-enough': { breaks: 'Endpoints: "POST /payment-links | billing.write" (billing.read is asked, too)' },
} satisfies Record<string, Fault>;
