import type { Operation } from '../../engine/operations.js';

export const tokenSentence =
  '1. Every endpoint requires an OAuth 2.0 bearer token in the header `Authorization: Bearer <ACCESS_TOKEN>`.';
export const scopeSentence =
  '2. Scopes: `billing.read` for all GET endpoints; `billing.write` for all POST endpoints (invoice creation, reminders, payment-link creation, deposit creation, capture and release).';

/** Common to clauses about tokens and scopes. */
export const authenticationSource = { level: 'documented', spec: 'Authentication', quote: tokenSentence } as const;

/** Name of an operation in titles: `POST /invoices`. */
export const operationName = ({ method, path }: Operation): string => `${method} ${path}`;
