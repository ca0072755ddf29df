import { addDays, isTimeZone } from '../domain/dates.js';
import { plus } from '../domain/money.js';
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
  if (table === 'deposits') return depositError(row);
  if (table === 'invoices') return dateError(row, ['date', 'due_date']);
  // The row of `origin` has the seed of the account, to which a reset returns.
  if (table === 'origin') return timeZoneError(memberOf(row, 'seed'), 'seed.time_zone');
  return table === 'account' ? timeZoneError(row, 'time_zone') : undefined;
}

function timeZoneError(holder: unknown, path: string): string | undefined {
  return isTimeZone(String(memberOf(holder, 'time_zone'))) ? undefined : `${path} must be a known time zone`;
}

function depositError(deposit: unknown): string | undefined {
  const captures = memberOf(deposit, 'captures');
  const [first = 0, ...others] = Array.isArray(captures) ? captures.map(amountOf) : [];
  // Adding decimals is slow, and most deposits have at most one capture.
  const captured = others.reduce((total, amount) => plus(total, amount), first);
  if (memberOf(deposit, 'captured_amount') !== captured)
    return `captured_amount must be the sum of the captures, ${captured}`;
  const amount = amountOf(deposit);
  if (captured > amount) return `captured_amount must not exceed the amount, ${amount}`;
  if ((memberOf(deposit, 'authorized_at') === null) !== (memberOf(deposit, 'expires_at') === null))
    return 'authorized_at and expires_at must both be times, or both be null';
  return dateError(deposit, ['check_in_date', 'check_out_date']);
}

function amountOf(holder: unknown): number {
  return Number(memberOf(holder, 'amount'));
}

/** Finds a date that the calendar does not have, such as 30 February. */
function dateError(row: unknown, fields: readonly string[]): string | undefined {
  const invalid = fields.find((field) => {
    const date = memberOf(row, field);
    // Every month has the days up to the 28th, and calculating with dates is slow.
    return typeof date === 'string' && date.slice(8) > '28' && addDays(date, 0) !== date;
  });
  return invalid === undefined ? undefined : `${invalid} must be a date that exists`;
}
