import { captureDeposit, createDeposit, listDeposits, readDeposit, releaseDeposit } from './deposits.js';
import { createInvoice, listInvoices, listOverdue, readInvoice, readStats, sendReminder } from './invoices.js';
import { createLink, listLinks } from './links.js';
import { listPayments } from './payments.js';
import type { Handler, Operation, World } from './world.js';

export type Scope = 'billing.read' | 'billing.write';

export interface Route {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST';
  /** The first capture group, if there is one, is the identifier of the record. */
  readonly path: RegExp;
  readonly handle: Handler;
  readonly takesBody?: true;
}

const routes: readonly Route[] = [
  { operation: 'invoice-list', method: 'GET', path: /^\/invoices$/, handle: listInvoices },
  { operation: 'invoice-stats', method: 'GET', path: /^\/invoices\/stats$/, handle: readStats },
  { operation: 'invoice-overdue', method: 'GET', path: /^\/invoices\/overdue$/, handle: listOverdue },
  { operation: 'invoice-detail', method: 'GET', path: /^\/invoices\/([^/]+)$/, handle: readInvoice },
  { operation: 'invoice-create', method: 'POST', path: /^\/invoices$/, handle: createInvoice, takesBody: true },
  { operation: 'invoice-reminder', method: 'POST', path: /^\/invoices\/([^/]+)\/reminder$/, handle: sendReminder },
  { operation: 'link-create', method: 'POST', path: /^\/payment-links$/, handle: createLink, takesBody: true },
  { operation: 'link-list', method: 'GET', path: /^\/payment-links$/, handle: listLinks },
  { operation: 'payment-list', method: 'GET', path: /^\/payments$/, handle: listPayments },
  { operation: 'deposit-create', method: 'POST', path: /^\/deposits$/, handle: createDeposit, takesBody: true },
  { operation: 'deposit-list', method: 'GET', path: /^\/deposits$/, handle: listDeposits },
  { operation: 'deposit-detail', method: 'GET', path: /^\/deposits\/([^/]+)$/, handle: readDeposit },
  {
    operation: 'deposit-capture',
    method: 'POST',
    path: /^\/deposits\/([^/]+)\/capture$/,
    handle: captureDeposit,
    takesBody: true,
  },
  { operation: 'deposit-release', method: 'POST', path: /^\/deposits\/([^/]+)\/release$/, handle: releaseDeposit },
];

export const scopeOf = ({ method }: Route): Scope => (method === 'GET' ? 'billing.read' : 'billing.write');

/**
 * Returns the routes that match a path, for any method; routes with literal segments come before those with
 * identifiers.
 */
export const routesAt = ({ fault }: World, path: string): Route[] =>
  routes.filter(
    (route) =>
      route.path.test(path) &&
      !(fault === 'stats-parsed-as-id' && route.operation === 'invoice-stats') &&
      !(fault === 'overdue-parsed-as-id' && route.operation === 'invoice-overdue'),
  );
