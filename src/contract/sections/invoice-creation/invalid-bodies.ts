import type { Level } from '../../engine/clause.js';
import type { JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { nonexistentInteger } from '../nonexistent-id.js';
import { customerId, dateInDays, validItems } from './setups.js';

/** Returns the fields whose values make a valid body invalid; undefined omits a field. */
type BodyChanges = (context: ClauseContext) => JsonObject | Promise<JsonObject>;

/** Replaces the items by a single item, which is valid except for the changed fields. */
const itemWith =
  (changes: JsonObject): BodyChanges =>
  (context) => ({ items: [{ ...validItems(context).untaxed, ...changes }] });

/** Replaces the items by a valid one and one that is valid except for the changed fields. */
const afterValidItem =
  (changes: JsonObject): BodyChanges =>
  (context) => {
    const { taxed, untaxed } = validItems(context);
    return { items: [taxed, { ...untaxed, ...changes }] };
  };

/** Bodies that must be refused because of one invalid field. */
export const invalidBodies: readonly {
  readonly number: string;
  readonly title: string;
  /** Name of the invalid field, of the invoice or of an item. */
  readonly field: string;
  readonly changesFor: BodyChanges;
  /** Default: `documented`. */
  readonly level?: Level;
}[] = [
  {
    number: '01',
    title: 'An invoice without `customer_id` is refused.',
    field: 'customer_id',
    changesFor: () => ({ customer_id: undefined }),
  },
  {
    number: '02',
    title: 'An invoice without `date` is refused.',
    field: 'date',
    changesFor: () => ({ date: undefined }),
  },
  {
    number: '03',
    title: 'An invoice without `due_date` is refused.',
    field: 'due_date',
    changesFor: () => ({ due_date: undefined }),
  },
  {
    number: '04',
    title: 'An invoice without `items` is refused.',
    field: 'items',
    changesFor: () => ({ items: undefined }),
  },
  {
    number: '05',
    title: 'An item without `description` is refused, even if it follows a valid item.',
    field: 'description',
    changesFor: afterValidItem({ description: undefined }),
  },
  {
    number: '06',
    title: 'An item without `quantity` is refused, even if it follows a valid item.',
    field: 'quantity',
    changesFor: afterValidItem({ quantity: undefined }),
  },
  {
    number: '07',
    title: 'An item without `unit_price` is refused, even if it follows a valid item.',
    field: 'unit_price',
    changesFor: afterValidItem({ unit_price: undefined }),
  },
  {
    number: '08',
    title: 'An invoice without any item is refused.',
    field: 'items',
    changesFor: () => ({ items: [] }),
  },
  {
    number: '09',
    title: 'An invoice whose due date is the day before its date is refused.',
    field: 'due_date',
    // By month and day alone, the due date would be the later of the two.
    changesFor: () => ({ date: `${currentYear() + 1}-01-01`, due_date: `${currentYear()}-12-31` }),
  },
  {
    number: '10',
    title: 'An item with a quantity of 0.009 is refused, even if it follows a valid item.',
    field: 'quantity',
    changesFor: afterValidItem({ quantity: 0.009 }),
  },
  {
    number: '11',
    title: 'An item with a quantity of 0 is refused, even if it follows a valid item.',
    field: 'quantity',
    changesFor: afterValidItem({ quantity: 0 }),
  },
  {
    number: '12',
    title: 'An invoice for a customer that does not exist is refused.',
    field: 'customer_id',
    changesFor: () => ({ customer_id: nonexistentInteger }),
  },
  {
    number: '13',
    title: 'A `customer_id` that is not an integer is refused.',
    field: 'customer_id',
    changesFor: async (context) => ({ customer_id: fractionAbove(await context.use(customerId)) }),
  },
  {
    number: '14',
    title: 'A `date` that is not a date is refused.',
    field: 'date',
    changesFor: () => ({ date: 'someday' }),
  },
  {
    number: '15',
    title: 'A `due_date` that is not a date is refused.',
    field: 'due_date',
    changesFor: () => ({ due_date: 'someday' }),
  },
  {
    number: '16',
    title: 'An item whose quantity is not a decimal is refused.',
    field: 'quantity',
    changesFor: itemWith({ quantity: 'many' }),
  },
  {
    number: '17',
    title: 'An item whose price is not a decimal is refused, even if it follows a valid item.',
    field: 'unit_price',
    changesFor: afterValidItem({ unit_price: 'cheap' }),
  },
  {
    number: '20',
    title: 'A `date` that does not exist, 30 February, is refused.',
    field: 'date',
    changesFor: () => ({ date: february30(-2) }),
  },
  {
    number: '21',
    title: 'A `due_date` that does not exist, 30 February, is refused.',
    field: 'due_date',
    changesFor: () => ({ due_date: february30(2) }),
  },
  {
    number: '23',
    title: 'An item whose tax rate is not a decimal is refused, even if it follows a valid item.',
    field: 'tax_rate',
    changesFor: afterValidItem({ tax_rate: 'high' }),
  },
  {
    number: '24',
    title: 'A single item as `items`, instead of an array, is refused.',
    field: 'items',
    changesFor: (context) => ({ items: validItems(context).untaxed }),
  },
  {
    number: '25',
    title: 'An item with a negative quantity is refused.',
    field: 'quantity',
    changesFor: itemWith({ quantity: -1 }),
  },
  {
    number: '27',
    title: 'A `date` of null is refused.',
    field: 'date',
    changesFor: () => ({ date: null }),
  },
  {
    number: '28',
    title: 'A `due_date` of null is refused.',
    field: 'due_date',
    changesFor: () => ({ due_date: null }),
  },
  {
    number: '29',
    title: 'An item with a `unit_price` of null is refused.',
    field: 'unit_price',
    changesFor: itemWith({ unit_price: null }),
  },
  {
    number: '30',
    title: 'An item with a `description` of null is refused.',
    field: 'description',
    changesFor: itemWith({ description: null }),
  },
  {
    number: '35',
    title: 'A `customer_id` of null is refused.',
    field: 'customer_id',
    changesFor: () => ({ customer_id: null }),
  },
  {
    number: '36',
    title: 'An item with a `quantity` of null is refused.',
    field: 'quantity',
    changesFor: itemWith({ quantity: null }),
  },
  {
    number: '31',
    title: 'A `date` that does not exist, 31 April, is refused.',
    field: 'date',
    changesFor: () => ({ date: `${currentYear() - 2}-04-31` }),
  },
  {
    number: '32',
    title: 'A `due_date` that does not exist, 29 February of a year that is not a leap year, is refused.',
    field: 'due_date',
    changesFor: () => ({ due_date: `${nextCommonYear()}-02-29` }),
  },
  {
    number: '37',
    title: '`items` of null are refused.',
    field: 'items',
    changesFor: () => ({ items: null }),
  },
  {
    number: '38',
    title: 'A text in place of an item is refused, even if it follows a valid item.',
    field: 'items',
    changesFor: (context) => ({ items: [validItems(context).taxed, context.withRunPrefix('breakfast')] }),
  },
  {
    number: '39',
    title: 'An empty string as a `date` is refused.',
    field: 'date',
    changesFor: () => ({ date: '' }),
  },
  {
    number: '40',
    title: 'An empty string as a `due_date` is refused.',
    field: 'due_date',
    changesFor: () => ({ due_date: '' }),
  },
  // The specification says that a description is required. It does not mention empty strings.
  {
    number: '41',
    title: 'An item with an empty `description` is refused, even if it follows a valid item.',
    field: 'description',
    changesFor: afterValidItem({ description: '' }),
    level: 'inferred',
  },
  // Milliseconds since 1970 are a date in some programming languages, but not in the documented format.
  {
    number: '42',
    title: 'A number as a `date` is refused.',
    field: 'date',
    changesFor: () => ({ date: Date.parse(dateInDays(0)) }),
    level: 'inferred',
  },
  // The specification says that a price is required, and is a decimal. It does not mention empty strings.
  {
    number: '33',
    title: 'An item with an empty string as its `unit_price` is refused.',
    field: 'unit_price',
    changesFor: itemWith({ unit_price: '' }),
    level: 'inferred',
  },
  // The specification says "string", which suggests, but does not state, that other types are refused.
  {
    number: '26',
    title: 'An object as `notes` is refused.',
    field: 'notes',
    changesFor: (context) => ({ notes: { text: context.withRunPrefix('notes') } }),
    level: 'inferred',
  },
  // The specification says "`YYYY-MM-DD`", which suggests, but does not state, that other formats are refused.
  {
    number: '22',
    title: 'A `date` that is not written as `YYYY-MM-DD` is refused.',
    field: 'date',
    changesFor: () => ({ date: dateInDays(0).split('-').reverse().join('.') }),
    level: 'inferred',
  },
  {
    number: '34',
    title: 'A `due_date` that is not written as `YYYY-MM-DD` is refused.',
    field: 'due_date',
    changesFor: () => ({ due_date: dateInDays(365).split('-').reverse().join('.') }),
    level: 'inferred',
  },
];

/**
 * Returns the id of a customer with a fraction, which a target may drop by mistake. In place of an id so large that a
 * floating-point number has no fraction, returns a word.
 */
function fractionAbove(id: number | bigint): number | string {
  const fraction = Number(id) + 0.5;
  return Number.isInteger(fraction) ? 'nobody' : fraction;
}

/** Returns 30 February of a year relative to the current one. */
function february30(yearsFromNow: number): string {
  return `${currentYear() + yearsFromNow}-02-30`;
}

/** Returns a future year that is not a leap year. */
function nextCommonYear(): number {
  const year = currentYear() + 2;
  return year % 4 === 0 ? year + 1 : year;
}

function currentYear(): number {
  return Number(dateInDays(0).slice(0, 4));
}
