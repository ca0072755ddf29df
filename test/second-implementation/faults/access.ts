import type { Operation } from '../world.js';
import type { Fault } from './fault.js';

// In ids, `open-` precedes an operation that needs no token, `unscoped-` one that needs no particular scope, and `shared-`
// one that does not check the account.

const withoutAuthentication = (operation: Operation): Fault => ({
  breaks: 'Authentication 1: "Every endpoint requires an OAuth 2.0 bearer token" (this endpoint needs none)',
  skipsAuthenticationOf: operation,
});

const unscopedGet = (operation: Operation): Fault => ({
  breaks: 'Authentication 2: "billing.read for all GET endpoints" (billing.write suffices for this endpoint)',
  ignoresScopeOf: operation,
});

const unscopedPost = (operation: Operation): Fault => ({
  breaks: 'Authentication 2: "billing.write for all POST endpoints" (billing.read suffices for this endpoint)',
  ignoresScopeOf: operation,
});

const sharedByAccounts = (operation: Operation): Fault => ({
  breaks:
    'What the service does: "a JSON REST interface to a billing account" (the token of another account reaches its records)',
  ignoresAccountOf: operation,
});

const outdatedForReadToken = (operation: Operation): Fault => ({
  breaks:
    'What the service does: "a JSON REST interface to a billing account" (a token that can only read gets the first response to this URL)',
  inferred: true,
  isOutdatedForReadToken: operation,
});

const ineffectiveForWriteToken = (operation: Operation): Fault => ({
  breaks: 'Authentication 2: "billing.write for all POST endpoints" (with only this scope, the change is not stored)',
  inferred: true,
  forgetsChangesOfWriteToken: operation,
});

/** Faults by id. Those that have only `breaks`, and perhaps `inferred`, are implemented elsewhere: see `Fault`. */
export const accessFaults = {
  'open-invoice-list': withoutAuthentication('invoice-list'),
  'open-invoice-detail': withoutAuthentication('invoice-detail'),
  'open-invoice-stats': withoutAuthentication('invoice-stats'),
  'open-invoice-overdue': withoutAuthentication('invoice-overdue'),
  'open-invoice-create': withoutAuthentication('invoice-create'),
  'open-invoice-reminder': withoutAuthentication('invoice-reminder'),
  'open-link-create': withoutAuthentication('link-create'),
  'open-link-list': withoutAuthentication('link-list'),
  'open-payment-list': withoutAuthentication('payment-list'),
  'open-deposit-create': withoutAuthentication('deposit-create'),
  'open-deposit-list': withoutAuthentication('deposit-list'),
  'open-deposit-detail': withoutAuthentication('deposit-detail'),
  'open-deposit-capture': withoutAuthentication('deposit-capture'),
  'open-deposit-release': withoutAuthentication('deposit-release'),
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
  'shared-invoice-list': sharedByAccounts('invoice-list'),
  'shared-invoice-detail': sharedByAccounts('invoice-detail'),
  'shared-invoice-overdue': sharedByAccounts('invoice-overdue'),
  'shared-invoice-reminder': sharedByAccounts('invoice-reminder'),
  'shared-link-list': sharedByAccounts('link-list'),
  'shared-payment-list': sharedByAccounts('payment-list'),
  'shared-deposit-list': sharedByAccounts('deposit-list'),
  'shared-deposit-detail': sharedByAccounts('deposit-detail'),
  'shared-deposit-capture': sharedByAccounts('deposit-capture'),
  'shared-deposit-release': sharedByAccounts('deposit-release'),
  'unknown-token-accepted': {
    breaks: 'Authentication 1: "requires an OAuth 2.0 bearer token" (any token is accepted)',
  },
  'repeated-reads-need-no-token': {
    breaks: 'Authentication 1: "Every endpoint requires an OAuth 2.0 bearer token" (not a URL that was read before)',
  },
  'token-prefix-accepted': {
    breaks: 'Authentication 1: "requires an OAuth 2.0 bearer token" (a token without its last character is accepted)',
  },
  'token-with-suffix-accepted': {
    breaks: 'Authentication 1: "requires an OAuth 2.0 bearer token" (a token with a suffix is accepted)',
  },
  'token-case-ignored': {
    breaks: 'Authentication 1: "requires an OAuth 2.0 bearer token" (the case of its letters is ignored)',
    inferred: true,
  },
  'token-followed-by-word-accepted': {
    breaks: 'Authentication 1: "Authorization: Bearer <ACCESS_TOKEN>" (anything may follow the token)',
    inferred: true,
  },
  'token-without-scheme': {
    breaks: 'Authentication 1: "in the header Authorization: Bearer <ACCESS_TOKEN>" (Bearer may be omitted)',
    inferred: true,
  },
  'token-as-user-name': {
    breaks:
      'Authentication 1: "in the header Authorization: Bearer <ACCESS_TOKEN>" (also accepted as a Basic user name)',
    inferred: true,
  },
  'token-in-query': {
    breaks: 'Authentication 1: "in the header Authorization: Bearer <ACCESS_TOKEN>" (also accepted in the query)',
  },
  'token-in-cookie': {
    breaks: 'Authentication 1: "in the header Authorization: Bearer <ACCESS_TOKEN>" (also accepted in a cookie)',
  },
  'unauthenticated-with-trailing-slash': {
    breaks: 'Authentication 1: "Every endpoint requires an OAuth 2.0 bearer token" (not if the path ends with a slash)',
  },
  'any-scheme-accepted': {
    breaks: 'Authentication 1: "in the header Authorization: Bearer <ACCESS_TOKEN>" (any other scheme is accepted)',
    inferred: true,
  },
  'scopeless-token-reads': {
    breaks: 'Authentication 2: "billing.read for all GET endpoints" (a token without scopes can read)',
  },
  'read-scope-not-enough': {
    breaks: 'Endpoints: "GET /invoices/stats | billing.read" (billing.write is required, too)',
  },
  'write-scope-not-enough': {
    breaks: 'Endpoints: "POST /payment-links | billing.write" (billing.read is required, too)',
  },
  'read-token-outdated-invoice-list': outdatedForReadToken('invoice-list'),
  'read-token-outdated-invoice-detail': outdatedForReadToken('invoice-detail'),
  'read-token-outdated-invoice-stats': outdatedForReadToken('invoice-stats'),
  'read-token-outdated-invoice-overdue': outdatedForReadToken('invoice-overdue'),
  'read-token-outdated-link-list': outdatedForReadToken('link-list'),
  'read-token-outdated-payment-list': outdatedForReadToken('payment-list'),
  'read-token-outdated-deposit-list': outdatedForReadToken('deposit-list'),
  'read-token-outdated-deposit-detail': outdatedForReadToken('deposit-detail'),
  'write-token-deposit-not-stored': ineffectiveForWriteToken('deposit-create'),
  'write-token-capture-not-stored': ineffectiveForWriteToken('deposit-capture'),
  'write-token-release-not-stored': ineffectiveForWriteToken('deposit-release'),
} satisfies Record<string, Fault>;
