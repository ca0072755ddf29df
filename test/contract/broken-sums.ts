import { inTurn, onAny, onOverdue, refuse } from './invoice-patches.js';
import type { Json, Patch } from './patched.js';
import { changed, drop, onAnswer, onRecord } from './patches.js';

const overdue = '/invoices/overdue';
const reminder = /^\/invoices\/\d+\/reminder$/;

const stats = (change: (figures: Json) => void): Patch => onRecord('GET', '/invoices/stats', change);
const listed = (change: (body: Json) => void): Patch => onAnswer('GET', overdue, ({ body }) => change(body));
const text = (record: Json, field: string): void => void Object.assign(record, { [field]: String(record[field]) });
const rows = (change: (row: Json) => void): Patch =>
  onOverdue((found) => {
    found.forEach(change);
    return found;
  });

/** A figure that stays what it was at first. */
function stuck(field: string): (record: Json) => void {
  let first: unknown;
  return (record) => {
    first ??= record[field];
    record[field] = first;
  };
}

/** Overdue invoices that stay in the list for good. */
function lasting(): Patch {
  const seen = new Map<unknown, Json>();
  return onOverdue((found) => {
    for (const row of found) seen.set(row['id'], row);
    return [...seen.values()];
  });
}

/** Every invoice that was created is overdue at once. */
function hasty(): Patch {
  const created: Json[] = [];
  return inTurn(
    onRecord('POST', '/invoices', (invoice) => void created.push(invoice)),
    onOverdue((found) => [...found, ...created]),
  );
}

/** What a target may do wrong with its sums, with what is overdue and with reminders, by the clause that has to see it. */
export const brokenSums: Readonly<Record<string, Patch>> = {
  'INV-OVERDUE-01': onAnswer('GET', overdue, (answered) => refuse(answered, 404)),
  'INV-OVERDUE-02': listed((body) => Object.assign(body, { data: { data: body['data'] } })),
  'INV-OVERDUE-03': listed((body) => text(body, 'count')),
  'INV-OVERDUE-04': listed((body) => drop(body, 'total_outstanding')),
  'INV-OVERDUE-05': listed((body) => drop(body, 'currency')),
  'INV-OVERDUE-06': listed((body) => Object.assign(body, { count: Number(body['count']) + 1 })),
  'INV-OVERDUE-07': hasty(),
  'INV-OVERDUE-08': onOverdue(([first = {}, ...others]) => [{ ...first, status: 'paid' }, ...others]),
  'INV-OVERDUE-09': lasting(),
  'INV-OVERDUE-29': rows((row) => Object.assign(row, { days_overdue: Number(row['days_overdue']) + 0.5 })),
  'INV-OVERDUE-30': rows((row) => Object.assign(row, { payment_link: '/pay/inv_1' })),
  'INV-OVERDUE-31': rows((row) =>
    Object.assign(
      row,
      changed(row, 'customer', (one) => Object.assign(one, { phone: 1 })),
    ),
  ),
  'INV-OVERDUE-32': rows((row) => Object.assign(row, { days_overdue: 1 })),
  'INV-OVERDUE-33': rows((row) => Object.assign(row, { payment_link: null })),
  'INV-OVERDUE-35': rows((row) => {
    Object.assign(
      row,
      changed(row, 'customer', (one) => Object.assign(one, { phone: '+49 30 1' })),
    );
  }),
  'INV-OVERDUE-36': listed(stuck('total_outstanding')),

  'INV-STATS-01': onAnswer('GET', '/invoices/stats', (answered) => refuse(answered, 404)),
  'INV-STATS-02': stats((figures) => text(figures, 'total_invoices')),
  'INV-STATS-03': stats((figures) => drop(figures, 'pending_invoices')),
  'INV-STATS-04': stats((figures) => Object.assign(figures, { paid_invoices: -1 })),
  'INV-STATS-05': stats((figures) => Object.assign(figures, { overdue_invoices: 1.5 })),
  'INV-STATS-06': stats((figures) => Object.assign(figures, { total_outstanding: '1.234,50' })),
  'INV-STATS-07': stats((figures) => drop(figures, 'total_overdue')),
  'INV-STATS-08': stats((figures) => Object.assign(figures, { currency: '€' })),
  'INV-STATS-09': stats(stuck('total_invoices')),
  'INV-STATS-10': stats((figures) => {
    figures['total_invoices'] = Number(figures['total_invoices']) - Number(figures['paid_invoices']);
  }),
  'INV-STATS-11': stats(stuck('pending_invoices')),
  'INV-STATS-12': stats(stuck('total_outstanding')),
  'INV-STATS-13': stats((figures) => Object.assign(figures, { overdue_invoices: figures['pending_invoices'] })),
  'INV-STATS-14': stats((figures) => Object.assign(figures, { total_overdue: figures['total_outstanding'] })),
  'INV-STATS-15': stats(stuck('paid_invoices')),
  'INV-STATS-16': stats(stuck('total_outstanding')),
  'INV-STATS-17': stats((figures) => Object.assign(figures, { total_invoices: Number(figures['total_invoices']) + 1 })),
  'INV-STATS-18': stats((figures) => Object.assign(figures, { overdue_invoices: 0 })),
  'INV-STATS-19': stats((figures) =>
    Object.assign(figures, { overdue_invoices: Number(figures['overdue_invoices']) + 1 }),
  ),
  'INV-STATS-20': stats((figures) => Object.assign(figures, { paid_invoices: figures['total_invoices'] })),
  'INV-STATS-21': stats((figures) => Object.assign(figures, { total_outstanding: 1 })),

  'INV-REMIND-01': onAnswer('POST', reminder, (answered) => refuse(answered, 400)),
  'INV-REMIND-02': onAnswer('POST', reminder, ({ body }) => void Object.assign(body, { message: 'Sent' })),
  'INV-REMIND-04': refusedReminder({ status: 409 }),
  'INV-REMIND-05': refusedReminder({ error: 'Invoice already paid' }),
  'INV-REMIND-06': refusedReminder({ status: 400 }),
  'INV-REMIND-07': refusedReminder({ error: 'Not Found' }),
};

function refusedReminder({ status, error }: { readonly status?: number; readonly error?: string }): Patch {
  return onAny(
    ({ path }, answered) => reminder.test(path) && answered.status >= 400,
    (answered) => {
      answered.status = status ?? answered.status;
      if (error !== undefined) answered.body['error'] = error;
    },
  );
}
