import type { Level } from '../../engine/clause.js';
import type { JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { nonexistentInteger } from '../nonexistent-id.js';
import { customerId, dateInDays, validItems } from './setups.js';

/** Returns the fields whose values make a valid body invalid; a field set to undefined is omitted. */
type BodyChangesOf = (context: ClauseContext) => JsonObject | Promise<JsonObject>;

/** Replaces the items with a single item, which is valid except for the changed fields. */
const itemWith =
  (changes: JsonObject): BodyChangesOf =>
  (context) => ({ items: [{ ...validItems(context).untaxed, ...changes }] });

/** Replaces the items with a valid item and one that is valid except for the changed fields. */
const afterValidItem =
  (changes: JsonObject): BodyChangesOf =>
  (context) => {
    const { taxed, untaxed } = validItems(context);
    return { items: [taxed, { ...untaxed, ...changes }] };
  };

/** Replaces the items with one that is valid except for the changed fields, and a valid item. */
const beforeValidItem =
  (changes: JsonObject): BodyChangesOf =>
  (context) => {
    const { taxed, untaxed } = validItems(context);
    return { items: [{ ...untaxed, ...changes }, taxed] };
  };

/** The change that makes an invoice refer to a customer that does not exist. */
export const nonexistentCustomer: JsonObject = { customer_id: nonexistentInteger };

/** Bodies that must be refused because of one invalid field, of the invoice or of an item. */
export const invalidBodies: readonly (readonly [
  number: string,
  field: string,
  title: string,
  changes: JsonObject | BodyChangesOf,
  /** Default: `documented`. */
  level?: Level,
])[] = [
  ['01', 'customer_id', 'An invoice without `customer_id` is refused.', { customer_id: undefined }],
  ['02', 'date', 'An invoice without `date` is refused.', { date: undefined }],
  ['03', 'due_date', 'An invoice without `due_date` is refused.', { due_date: undefined }],
  ['04', 'items', 'An invoice without `items` is refused.', { items: undefined }],
  [
    '05',
    'description',
    'An item without `description` is refused, even if it follows a valid item.',
    afterValidItem({ description: undefined }),
  ],
  [
    '06',
    'quantity',
    'An item without `quantity` is refused, even if it follows a valid item.',
    afterValidItem({ quantity: undefined }),
  ],
  [
    '07',
    'unit_price',
    'An item without `unit_price` is refused, even if it follows a valid item.',
    afterValidItem({ unit_price: undefined }),
  ],
  ['08', 'items', 'An invoice without any item is refused.', { items: [] }],
  // A target that compares only month and day would accept these dates.
  [
    '09',
    'due_date',
    'An invoice whose due date is the day before its date is refused.',
    () => ({ date: `${currentYear() + 1}-01-01`, due_date: `${currentYear()}-12-31` }),
  ],
  // A target that compares only the years, or the months, would accept these.
  [
    '46',
    'due_date',
    'An invoice whose due date is the day before its date, in the same month, is refused.',
    () => ({ date: dayInJune(15), due_date: dayInJune(14) }),
  ],
  [
    '10',
    'quantity',
    'An item with a quantity just below 0.01 is refused, even if it follows a valid item.',
    afterValidItem({ quantity: 0.009 }),
  ],
  [
    '11',
    'quantity',
    'An item with a quantity of 0 is refused, even if it follows a valid item.',
    afterValidItem({ quantity: 0 }),
  ],
  ['12', 'customer_id', 'An invoice for a customer that does not exist is refused.', nonexistentCustomer],
  [
    '13',
    'customer_id',
    'A `customer_id` that is not an integer is refused.',
    async (context) => ({ customer_id: nonIntegerNear(await context.use(customerId)) }),
  ],
  ['14', 'date', 'A `date` that is not a date is refused.', { date: 'someday' }],
  ['15', 'due_date', 'A `due_date` that is not a date is refused.', { due_date: 'someday' }],
  ['16', 'quantity', 'An item whose quantity is not a decimal is refused.', itemWith({ quantity: 'many' })],
  [
    '17',
    'unit_price',
    'An item whose price is not a decimal is refused, even if it follows a valid item.',
    afterValidItem({ unit_price: 'cheap' }),
  ],
  ['20', 'date', 'A `date` that does not exist, 30 February, is refused.', () => ({ date: february30(-2) })],
  ['21', 'due_date', 'A `due_date` that does not exist, 30 February, is refused.', () => ({ due_date: february30(2) })],
  [
    '23',
    'tax_rate',
    'An item whose tax rate is not a decimal is refused, even if it follows a valid item.',
    afterValidItem({ tax_rate: 'high' }),
  ],
  [
    '24',
    'items',
    'A single item as `items`, instead of an array, is refused.',
    (context) => ({ items: validItems(context).untaxed }),
  ],
  [
    '25',
    'quantity',
    'An item with a negative quantity is refused, even if a valid item follows.',
    beforeValidItem({ quantity: -1 }),
  ],
  ['27', 'date', 'A `date` of null is refused.', { date: null }],
  ['28', 'due_date', 'A `due_date` of null is refused.', { due_date: null }],
  [
    '29',
    'unit_price',
    'An item with a `unit_price` of null is refused, even if a valid item follows.',
    beforeValidItem({ unit_price: null }),
  ],
  [
    '30',
    'description',
    'An item with a `description` of null is refused, even if a valid item follows.',
    beforeValidItem({ description: null }),
  ],
  ['35', 'customer_id', 'A `customer_id` of null is refused.', { customer_id: null }],
  ['36', 'quantity', 'An item with a `quantity` of null is refused.', itemWith({ quantity: null })],
  ['31', 'date', 'A `date` that does not exist, 31 April, is refused.', () => ({ date: `${currentYear() - 2}-04-31` })],
  [
    '32',
    'due_date',
    'A `due_date` that does not exist, 29 February of a year that is not a leap year, is refused.',
    () => ({ due_date: `${futureCommonYear()}-02-29` }),
  ],
  ['37', 'items', 'Null in place of the `items` is refused.', { items: null }],
  [
    '38',
    'items',
    'A string in place of an item is refused, even if it follows a valid item.',
    (context) => ({ items: [validItems(context).taxed, context.withRunPrefix('breakfast')] }),
  ],
  ['39', 'date', 'An empty string as a `date` is refused.', { date: '' }],
  ['40', 'due_date', 'An empty string as a `due_date` is refused.', { due_date: '' }],
  // The specification says that a description is required. It does not mention empty strings.
  [
    '41',
    'description',
    'An item with an empty `description` is refused, even if it follows a valid item.',
    afterValidItem({ description: '' }),
    'inferred',
  ],
  // Milliseconds since 1970 are a date in some programming languages, but not in the documented format.
  ['42', 'date', 'A number as a `date` is refused.', () => ({ date: Date.parse(dateInDays(0)) }), 'inferred'],
  // The specification says that a price is required, and is a decimal. It does not mention empty strings.
  [
    '33',
    'unit_price',
    'An item with an empty string as its `unit_price` is refused.',
    itemWith({ unit_price: '' }),
    'inferred',
  ],
  // The specification says "string", which suggests, but does not state, that other types are refused.
  [
    '26',
    'notes',
    'An object as `notes` is refused.',
    (context) => ({ notes: { text: context.withRunPrefix('notes') } }),
    'inferred',
  ],
  // The specification says "`YYYY-MM-DD`", which suggests, but does not state, that other formats are refused.
  [
    '22',
    'date',
    'A `date` that is not written as `YYYY-MM-DD` is refused.',
    () => ({ date: dateInDays(0).split('-').reverse().join('.') }),
    'inferred',
  ],
  [
    '34',
    'due_date',
    'A `due_date` that is not written as `YYYY-MM-DD` is refused.',
    () => ({ due_date: dateInDays(365).split('-').reverse().join('.') }),
    'inferred',
  ],
  [
    '44',
    'date',
    'A month as a `date`, without a day, is refused.',
    () => ({ date: dateInDays(0).slice(0, 7) }),
    'inferred',
  ],
  [
    '45',
    'due_date',
    'A `due_date` with a time is refused.',
    () => ({ due_date: `${dateInDays(365)}T00:00:00Z` }),
    'inferred',
  ],
];

/**
 * Returns the customer id plus a fraction. A target that drops the fraction finds the customer. If the id is too large
 * for a floating-point number with a fraction, returns a word.
 */
function nonIntegerNear(id: number | bigint): number | string {
  const idPlusHalf = Number(id) + 0.5;
  return Number.isInteger(idPlusHalf) ? 'nobody' : idPlusHalf;
}

/**
 * Returns 30 February of a year relative to the current one. Dates get an earlier year and due dates a later one, so
 * that the due date would be after the date, and the invoice is only invalid because the day does not exist.
 */
function february30(yearsFromNow: number): string {
  return `${currentYear() + yearsFromNow}-02-30`;
}

/** Returns a day in June of next year. */
function dayInJune(day: number): string {
  return `${currentYear() + 1}-06-${day}`;
}

/** Returns a future year that is not a leap year. */
function futureCommonYear(): number {
  const year = currentYear() + 2;
  return year % 4 === 0 ? year + 1 : year;
}

function currentYear(): number {
  return Number(dateInDays(0).slice(0, 4));
}
