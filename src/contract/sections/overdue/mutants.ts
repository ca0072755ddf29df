import type { Interceptor, Json } from '../../mutation/interceptor.js';
import {
  asText,
  changed,
  drop,
  inTurn,
  onAnswer,
  onOverdue,
  onRecord,
  put,
  refuse,
  stuck,
} from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf } from '../../mutation/mutant.js';
import { type Change, ofOthers } from '../invoice-detail/mutants.js';

const overdue = '/invoices/overdue';

const listed =
  (change: (body: Json) => void): (() => Interceptor) =>
  () =>
    onAnswer('GET', overdue, ({ body }) => change(body));
const rows =
  (change: (row: Json) => void): (() => Interceptor) =>
  () =>
    onOverdue((found) => {
      found.forEach(change);
      return found;
    });
const withPhone =
  (phone: unknown): Change =>
  (row) =>
    put(
      row,
      changed(row, 'customer', (one) => put(one, { phone })),
    );

/** Overdue invoices stay in the list forever. */
function lasting(): Interceptor {
  const seen = new Map<unknown, Json>();
  return onOverdue((found) => {
    for (const row of found) seen.set(row['id'], row);
    return [...seen.values()];
  });
}

/** The invoice with the last due date is listed as overdue in place of another. */
function hasty(): Interceptor {
  let last: Json = { due_date: '' };
  return inTurn(
    onRecord('POST', '/invoices', (invoice) => {
      if (String(invoice['due_date']) > String(last['due_date'])) last = invoice;
    }),
    onOverdue(([first, ...others]) => [{ ...first, ...last }, ...others]),
  );
}

/** Mutants of the overdue list. */
export const overdueMutants: readonly Mutant[] = mutantsOf([
  [
    'INV-OVERDUE-01',
    'With a token of both scopes, `overdue` is taken for the id of an invoice.',
    () => onAnswer('GET', overdue, (response, { token }) => token === 'full' && refuse(response, 404)),
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
  [
    'INV-OVERDUE-37',
    'What is overdue for more than three years is left out.',
    () => onOverdue((found) => found.filter((row) => Number(row['days_overdue']) < 3 * 366)),
  ],
  [
    'INV-OVERDUE-38',
    'Everything is overdue for a month more than it is.',
    rows((row) => put(row, { days_overdue: Number(row['days_overdue']) + 30 })),
  ],
  ['INV-OVERDUE-39', 'The count of what is overdue stays what it was at first.', () => onAnswerStuck('count')],
  ['INV-OVERDUE-40', 'What is overdue stays what it was at first.', () => onAnswerStuck('data')],
  ['INV-OVERDUE-36', 'The total of what is overdue never changes.', () => onAnswerStuck('total_outstanding')],
]);

function onAnswerStuck(field: string): Interceptor {
  const change = stuck(field);
  return onAnswer('GET', overdue, ({ body }) => change(body));
}
