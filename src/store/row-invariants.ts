import { addDays, isTimeZone } from '../domain/dates.js';
import { isEffectName, stageOf } from '../domain/faults.js';
import { plus } from '../domain/money.js';
import { relativeTimeMs } from '../domain/seed.js';
import { itemsOf, memberOf } from '../lib/json.js';

/**
 * Checks what JSON Schema cannot express about a row that matches the schema of its table. Rejects only rows that no
 * version of billing-sim can have written.
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
  if (table === 'faults') return stageError(row);
  // The row of `origin` has the seed of the account, to which a reset returns.
  if (table === 'origin') return seedError(memberOf(row, 'seed'));
  return table === 'account' ? timeZoneError(row, 'time_zone') : undefined;
}

function timeZoneError(holder: unknown, path: string): string | undefined {
  return isTimeZone(String(memberOf(holder, 'time_zone'))) ? undefined : `${path} must be a known time zone`;
}

/** Finds a value with which a reset could not create the records of the seed, or would create unusable ones. */
function seedError(seed: unknown): string | undefined {
  return timeZoneError(seed, 'seed.time_zone') ?? seedReferenceError(seed) ?? seedTimeError(seed);
}

/** Fields of a seed's records that refer to a record in another list. */
const seedReferences = [
  { list: 'invoices', field: 'customer_id', target: 'customers' },
  { list: 'payments', field: 'customer_id', target: 'customers' },
  { list: 'payments', field: 'payment_link_id', target: 'payment_links' },
  { list: 'payments', field: 'invoice_id', target: 'invoices' },
] as const;

function seedReferenceError(seed: unknown): string | undefined {
  for (const { list, field, target } of seedReferences) {
    const ids = new Set(itemsOf(seed, target).map((record) => memberOf(record, 'id')));
    for (const [index, record] of itemsOf(seed, list).entries()) {
      // Null means the same as an omitted field.
      const id = memberOf(record, field) ?? undefined;
      if (id !== undefined && !ids.has(id)) return `seed.${list}[${index}].${field} must be an id in seed.${target}`;
    }
  }
  return undefined;
}

/** Fields of a seed's records that are relative times. Captures have one, too. */
const seedTimes = ['date', 'due_date', 'created', 'paid', 'check_in_date', 'check_out_date', 'authorized', 'released'];

function seedTimeError(seed: unknown): string | undefined {
  for (const list of ['invoices', 'payment_links', 'payments', 'deposits']) {
    for (const [index, record] of itemsOf(seed, list).entries()) {
      const captureTimes = itemsOf(record, 'captures').map((capture, n) => [
        `captures[${n}].at`,
        memberOf(capture, 'at'),
      ]);
      const times = [...seedTimes.map((field) => [field, memberOf(record, field)]), ...captureTimes];
      const invalid = times.find(([, time]) => typeof time === 'string' && relativeTimeMs(time) === undefined);
      if (invalid) return `seed.${list}[${index}].${invalid[0]} must be a time relative to the seeding, such as -8d`;
    }
  }
  return undefined;
}

function depositError(deposit: unknown): string | undefined {
  const [first = 0, ...others] = itemsOf(deposit, 'captures').map(amountOf);
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

function stageError(fault: unknown): string | undefined {
  const effects = itemsOf(fault, 'effects').flatMap((effect) => {
    const name = memberOf(effect, 'name');
    return isEffectName(name) ? [{ name }] : [];
  });
  const stage = stageOf({ effects, match: { status: memberOf(memberOf(fault, 'match'), 'status') } });
  return memberOf(fault, 'stage') === stage ? undefined : `stage must be ${stage}, the stage of the effects`;
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
