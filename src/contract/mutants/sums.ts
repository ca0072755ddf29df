import { type Change, ofOthers } from './invoice-fields.js';
import { type Mutant, mutantsOf } from './mutant.js';
import type { Answered, Asked, Json, Patch } from './patch.js';
import { changed, drop, inTurn, onAnswer, onAny, onOverdue, onRecord, refuse } from './patches.js';

const overdue = '/invoices/overdue';
const reminder = /^\/invoices\/\d+\/reminder$/;

const put = (record: Json, fields: Json): void => void Object.assign(record, fields);
const stats =
  (change: (figures: Json) => void): (() => Patch) =>
  () =>
    onRecord('GET', '/invoices/stats', change);
const listed =
  (change: (body: Json) => void): (() => Patch) =>
  () =>
    onAnswer('GET', overdue, ({ body }) => change(body));
const rows =
  (change: (row: Json) => void): (() => Patch) =>
  () =>
    onOverdue((found) => {
      found.forEach(change);
      return found;
    });
const asText =
  (field: string) =>
  (record: Json): void =>
    put(record, { [field]: String(record[field]) });
const withPhone =
  (phone: unknown): Change =>
  (row) =>
    put(
      row,
      changed(row, 'customer', (one) => put(one, { phone })),
    );

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

/** The invoice that is due last is overdue at once, in the place of another. */
function hasty(): Patch {
  let last: Json = { due_date: '' };
  return inTurn(
    onRecord('POST', '/invoices', (invoice) => {
      if (String(invoice['due_date']) > String(last['due_date'])) last = invoice;
    }),
    onOverdue(([first, ...others]) => [{ ...first, ...last }, ...others]),
  );
}

/** What a target may do wrong with what is overdue. */
export const overdueMutants: readonly Mutant[] = mutantsOf([
  [
    'INV-OVERDUE-01',
    'The word `overdue` is taken for the id of an invoice.',
    () => onAnswer('GET', overdue, (answered, { token }) => token === 'full' && refuse(answered, 404)),
  ],
  ['INV-OVERDUE-02', 'What is overdue comes in a page.', listed((body) => put(body, { data: { data: body['data'] } }))],
  ['INV-OVERDUE-03', 'The count of what is overdue is a text.', listed(asText('count'))],
  ['INV-OVERDUE-04', 'What is overdue has no total.', listed((body) => drop(body, 'total_outstanding'))],
  ['INV-OVERDUE-05', 'What is overdue has no currency.', listed((body) => drop(body, 'currency'))],
  [
    'INV-OVERDUE-06',
    'The count of what is overdue is one too many.',
    listed((body) => put(body, { count: Number(body['count']) + 1 })),
  ],
  ['INV-OVERDUE-07', 'An invoice that is due in years is overdue at once.', hasty],
  [
    'INV-OVERDUE-08',
    'A paid invoice is among what is overdue.',
    () => onOverdue(([first = {}, ...others]) => [{ ...first, status: 'paid' }, ...others]),
  ],
  ['INV-OVERDUE-09', 'What was overdue once is overdue for good.', lasting],
  [
    'INV-OVERDUE-29',
    'Days overdue are counted in halves.',
    rows((row) => put(row, { days_overdue: Number(row['days_overdue']) + 0.5 })),
  ],
  [
    'INV-OVERDUE-30',
    'The payment link of what is overdue is a path.',
    rows(ofOthers((row) => put(row, { payment_link: '/pay/inv_1' }))),
  ],
  ['INV-OVERDUE-31', 'The phone of a customer in debt is a number.', rows(ofOthers(withPhone(1)))],
  ['INV-OVERDUE-32', 'Everything overdue is so for a day.', rows((row) => put(row, { days_overdue: 1 }))],
  ['INV-OVERDUE-33', 'What is overdue has no payment link.', rows((row) => put(row, { payment_link: null }))],
  ['INV-OVERDUE-35', 'The phone of a customer in debt is another one.', rows(withPhone('+49 30 1'))],
  ['INV-OVERDUE-36', 'The total of what is overdue never changes.', () => onAnswerStuck('total_outstanding')],
]);

function onAnswerStuck(field: string): Patch {
  const change = stuck(field);
  return onAnswer('GET', overdue, ({ body }) => change(body));
}

const statsStuck = (field: string) => (): Patch => onRecord('GET', '/invoices/stats', stuck(field));

/** What a target may do wrong with its statistics. */
export const statisticsMutants: readonly Mutant[] = mutantsOf([
  [
    'INV-STATS-01',
    'The word `stats` is taken for the id of an invoice.',
    () => onAnswer('GET', '/invoices/stats', (answered, { token }) => token === 'full' && refuse(answered, 404)),
  ],
  ['INV-STATS-02', 'The number of all invoices is a text.', stats(asText('total_invoices'))],
  ['INV-STATS-03', 'The statistics lack `pending_invoices`.', stats((figures) => drop(figures, 'pending_invoices'))],
  ['INV-STATS-04', 'Less than no invoice is paid.', stats((figures) => put(figures, { paid_invoices: -1 }))],
  ['INV-STATS-05', 'One and a half invoices are overdue.', stats((figures) => put(figures, { overdue_invoices: 1.5 }))],
  [
    'INV-STATS-06',
    'What is outstanding is written as in Germany.',
    stats((figures) => put(figures, { total_outstanding: '1.234,50' })),
  ],
  ['INV-STATS-07', 'The statistics lack `total_overdue`.', stats((figures) => drop(figures, 'total_overdue'))],
  ['INV-STATS-08', 'The currency of the statistics is a sign.', stats((figures) => put(figures, { currency: '€' }))],
  ['INV-STATS-09', 'New invoices are not counted.', statsStuck('total_invoices')],
  [
    'INV-STATS-10',
    'Paid invoices are not counted among all.',
    stats((figures) =>
      put(figures, { total_invoices: Number(figures['total_invoices']) - Number(figures['paid_invoices']) }),
    ),
  ],
  ['INV-STATS-11', 'New invoices are not counted among the pending ones.', statsStuck('pending_invoices')],
  ['INV-STATS-12', 'New invoices add nothing to what is outstanding.', statsStuck('total_outstanding')],
  [
    'INV-STATS-13',
    'Pending invoices count as overdue.',
    stats((figures) => put(figures, { overdue_invoices: figures['pending_invoices'] })),
  ],
  [
    'INV-STATS-14',
    'All that is outstanding counts as overdue.',
    stats((figures) => put(figures, { total_overdue: figures['total_outstanding'] })),
  ],
  ['INV-STATS-15', 'Payments are not counted.', statsStuck('paid_invoices')],
  ['INV-STATS-16', 'What was paid is still outstanding.', neverLess],
  [
    'INV-STATS-17',
    'One more invoice is counted than is listed.',
    stats((figures) => put(figures, { total_invoices: Number(figures['total_invoices']) + 1 })),
  ],
  [
    'INV-STATS-18',
    'Nothing is ever overdue by the statistics.',
    stats((figures) => put(figures, { overdue_invoices: 0 })),
  ],
  [
    'INV-STATS-19',
    'One more invoice is overdue than is listed.',
    stats((figures) => put(figures, { overdue_invoices: Number(figures['overdue_invoices']) + 1 })),
  ],
  [
    'INV-STATS-20',
    'As many invoices are paid as there are.',
    stats((figures) => put(figures, { paid_invoices: figures['total_invoices'] })),
  ],
  ['INV-STATS-21', 'Less is outstanding than is overdue.', stats((figures) => put(figures, { total_outstanding: 1 }))],
]);

/** What is outstanding only grows. */
function neverLess(): Patch {
  let most = 0;
  return onRecord('GET', '/invoices/stats', (figures) => {
    most = Math.max(most, Number(figures['total_outstanding']));
    figures['total_outstanding'] = most;
  });
}

const refused =
  (status: number, change: (answered: Answered) => void): (() => Patch) =>
  () =>
    onAny(
      ({ path, token }: Asked, answered) => reminder.test(path) && token === 'full' && answered.status === status,
      change,
    );

const withStatus =
  (status: number) =>
  (answered: Answered): void => {
    answered.status = status;
  };

const withError =
  (error: string) =>
  ({ body }: Answered): void =>
    put(body, { error });

/** What a target may do wrong with reminders. */
export const reminderMutants: readonly Mutant[] = mutantsOf([
  [
    'INV-REMIND-01',
    'No reminder is sent.',
    () => onAnswer('POST', reminder, (answered, { token }) => token === 'full' && refuse(answered, 400)),
  ],
  [
    'INV-REMIND-02',
    'The message about a reminder is in other words.',
    () => onAnswer('POST', reminder, ({ body }) => put(body, { message: 'Sent' })),
  ],
  ['INV-REMIND-04', 'A reminder of a paid invoice is refused with 409.', refused(400, withStatus(409))],
  ['INV-REMIND-05', 'That an invoice is paid is said in other words.', refused(400, withError('Invoice already paid'))],
  ['INV-REMIND-06', 'A reminder of no invoice is refused with 400.', refused(404, withStatus(400))],
  ['INV-REMIND-07', 'That there is no such invoice is said in other words.', refused(404, withError('Not Found'))],
]);
