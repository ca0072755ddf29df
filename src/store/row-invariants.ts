import { addDays, isTimeZone } from '../domain/dates.js';
import { plus } from '../domain/money.js';
import type { Deposit, Invoice } from '../domain/records.js';
import { memberOf } from '../lib/json.js';

/**
 * Checks what JSON Schema cannot express about a row that matches the schema of its table. Refuses only rows that no
 * version has written.
 * @param name the row in the message: `account[0]`
 * @returns an error such as `account[0].time_zone must be a known time zone`; undefined if the row is valid
 */
export function brokenInvariant(table: string, name: string, row: unknown): string | undefined {
  const error = errorIn(table, row);
  return error === undefined ? undefined : `${name}.${error}`;
}

function errorIn(table: string, row: unknown): string | undefined {
  if (isRowOf<Deposit>(table, row, 'deposits')) return depositError(row);
  if (isRowOf<Invoice>(table, row, 'invoices')) return dateError(row, ['date', 'due_date']);
  // The row of `origin` has the seed of the account, to which a reset returns.
  if (table === 'origin') return timeZoneError(memberOf(row, 'seed'), 'seed.time_zone');
  return table === 'account' ? timeZoneError(row, 'time_zone') : undefined;
}

/** Narrows a row by its table; the row matches the schema of the table. */
function isRowOf<Row>(table: string, _row: unknown, expectedTable: string): _row is Row {
  return table === expectedTable;
}

function timeZoneError(holder: unknown, path: string): string | undefined {
  return isTimeZone(String(memberOf(holder, 'time_zone'))) ? undefined : `${path} must be a known time zone`;
}

function depositError(deposit: Deposit): string | undefined {
  const { amount, captured_amount, captures, authorized_at, expires_at } = deposit;
  // Adding decimals is slow, and most deposits have at most one capture.
  const [first = { amount: 0 }, ...others] = captures;
  const captured = others.reduce((total, capture) => plus(total, capture.amount), first.amount);
  if (captured_amount !== captured) return `captured_amount must be the sum of the captures, ${captured}`;
  if (captured_amount > amount) return `captured_amount must not exceed the amount, ${amount}`;
  if ((authorized_at === null) !== (expires_at === null))
    return 'authorized_at and expires_at must both be times, or both be null';
  return dateError(deposit, ['check_in_date', 'check_out_date']);
}

/** Finds a date that the calendar does not have, such as 30 February. */
function dateError<Field extends string>(
  row: Readonly<Record<Field, string | null>>,
  fields: readonly Field[],
): string | undefined {
  const invalid = fields.find((field) => {
    const date = row[field];
    // Every month has the days up to the 28th, and calculating with dates is slow.
    return date !== null && date.slice(8) > '28' && addDays(date, 0) !== date;
  });
  return invalid === undefined ? undefined : `${invalid} must be a date that exists`;
}
