import { dayMs } from '../../../lib/durations.js';
import { customerIdIn } from '../../drivers/results.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import type { Call } from '../../engine/exchange.js';
import { recordsAt, requireSuccess, requireSuccessOrSkip, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { JsonObject } from '../../engine/json.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import { dayOf } from '../../predicates/filters.js';
import {
  type CreatedRecord,
  type Creation,
  createdRecord,
  createdSoFar,
  requireRecord,
  withRecord,
} from '../created-records.js';
import { readBeforeCreation } from '../first-reads.js';
import { readCreatedRecord } from '../read-created-record.js';

/** The customer that the driver creates, as the driver returns it. */
const driverCreatedCustomer = setup('a customer created by the driver', (context) => context.drive('createCustomer'));

/**
 * Id of the customer for whom the suite creates invoices: the one of --customer-id, otherwise one that the driver
 * creates, otherwise the customer of an existing invoice.
 * @throws Skip if none of these is available
 */
export const customerId = setup('a customer', async (context) => {
  const { customerId: idFromOptions } = context.session.options;
  if (idFromOptions !== undefined) return idFromOptions;
  if (context.session.driver.createCustomer) return customerIdIn(await context.use(driverCreatedCustomer));
  const list = await context.get('/invoices?per_page=1');
  const id = valueAt(list.json, 'data.data.0.customer.id');
  if (typeof id === 'number' || typeof id === 'bigint') return id;
  throw new Skip({
    missing: '--customer-id',
    reason: 'the API cannot create customers, and no invoice exists whose customer could be used',
  });
});

/** Id of a second, newer customer. Most of the suite's invoices are for the first one, `customerId`. */
export const newerCustomerId = setup('a newer customer', async (context) => {
  await context.use(customerId);
  return customerIdIn(await context.drive('createCustomer'));
});

/** Returns the field of an invoice for the newer customer; no field if the driver cannot create one. */
async function newerCustomerIfPossible(context: ClauseContext): Promise<JsonObject> {
  const id = await ifPossible(context.use(newerCustomerId));
  return id === undefined ? {} : { customer_id: id };
}

/**
 * The customer of the suite's invoices, with the fields that the driver has given it.
 * @throws Skip if the driver did not create it
 */
export const createdCustomer = setup('the customer that the driver created', async (context) => {
  if (context.session.options.customerId !== undefined) {
    throw new Skip({
      missing: 'a run without --customer-id',
      reason: 'the invoices are for its customer, and not for one that the driver created',
    });
  }
  return context.use(driverCreatedCustomer);
});

/** Returns two valid items for the body of `POST /invoices`: one with tax, and one without. */
export function validItems(context: ClauseContext) {
  return {
    taxed: { description: context.withRunPrefix('room'), quantity: 2, unit_price: 9.95, tax_rate: 5 },
    untaxed: { description: context.withRunPrefix('breakfast'), quantity: 0.5, unit_price: 10.5 },
  };
}

/**
 * Returns the UTC date that is a number of days from now, as `YYYY-MM-DD`.
 * @param clockSkewMs milliseconds by which the target's clock is ahead of real time; if given, "now" is the time on the
 * target's clock
 */
export function dateInDays(days: number, clockSkewMs = 0): string {
  return dayOf(Date.now() + clockSkewMs + days * dayMs);
}

/**
 * Returns the body of a valid invoice that is not due soon, with some fields replaced. The references of the suite's
 * invoices are short, because the specification does not say how long they may be.
 */
export async function invoiceBody(context: ClauseContext, changes: JsonObject = {}): Promise<JsonObject> {
  const { taxed, untaxed } = validItems(context);
  return {
    customer_id: await context.use(customerId),
    reference: context.withRunPrefix('invoice'),
    date: dateInDays(0),
    due_date: dateInDays(5 * 365),
    notes: context.withRunPrefix('notes'),
    items: [taxed, untaxed],
    ...changes,
  };
}

/**
 * Requests the creation of an invoice; the caller checks the response.
 * @param changes fields that replace valid ones; a field set to undefined is omitted
 * @param call `isInvalid` is true if the changes make the body invalid
 */
export async function postInvoice(
  context: ClauseContext,
  changes: JsonObject = {},
  call: Pick<Call, 'isInvalid'> = {},
): Promise<Creation> {
  const body = await invoiceBody(context, changes);
  await readBeforeCreation(context, 'invoices');
  return { exchange: await context.post('/invoices', body, call), body };
}

function invoiceCreation(name: string, changes: (context: ClauseContext) => JsonObject): Setup<Creation> {
  return setup(name, (context) => postInvoice(context, changes(context)));
}

/** Digits that are different in each run. A target may confuse a text that consists of digits with a number. */
const runDigits = ({ session }: ClauseContext): string => String(Number.parseInt(session.runId, 16)).padStart(10, '0');

/** Returns the first 29 February that is in the year this many years from now, or later. */
function leapDayAfterYears(years: number): string {
  const earliestYear = Number(dateInDays(0).slice(0, 4)) + years;
  return `${Math.ceil(earliestYear / 4) * 4}-02-29`;
}

/** Creates an invoice with two items and all fields except `invoice_number`, which the target generates. */
export const fullCreation = invoiceCreation('a new invoice', () => ({}));
/** Creates an invoice with the required fields only. */
export const minimalCreation = invoiceCreation('a new invoice with only the required fields', (context) => ({
  reference: undefined,
  notes: undefined,
  items: [validItems(context).untaxed],
}));
export const sameDayCreation = invoiceCreation('a new invoice due on its date', (context) => {
  // Computed once, since the day may end at any time.
  const today = dateInDays(0);
  return { reference: context.withRunPrefix('due now'), date: today, due_date: today };
});
export const minimumQuantityCreation = invoiceCreation('a new invoice with the minimum quantity', (context) => ({
  reference: runDigits(context),
  // The total is 0.29. In floating point, 0.29 × 100 is less than 29: a target that truncates returns 0.28.
  items: [{ ...validItems(context).untaxed, quantity: 0.01, unit_price: 29 }],
  // The last day of a year, an edge case for date calculations.
  due_date: `${Number(dateInDays(0).slice(0, 4)) + 5}-12-31`,
}));
/**
 * Creates an invoice with a date in the future, and with values that a target might take for missing ones (`'0'`, 0) or
 * for numbers (`'00…'`). It is for another customer than the invoices before it, if the driver can create one.
 */
export const futureCreation = setup('a new invoice with a date in the future', async (context) =>
  postInvoice(context, {
    invoice_number: `00${runDigits(context)}`,
    reference: '0',
    date: dateInDays(30),
    due_date: leapDayAfterYears(5),
    items: [validItems(context).taxed, { ...validItems(context).untaxed, description: '0', unit_price: 0 }],
    ...(await newerCustomerIfPossible(context)),
  }),
);
/**
 * Creates an invoice whose values are valid but unusual. No other setup needs it, because a target may refuse it: the
 * specification does not say how long texts may be.
 */
export const unusualCreation = invoiceCreation('a new invoice with unusual values', (context) => {
  const { taxed, untaxed } = validItems(context);
  return {
    invoice_number: `2026/${context.session.runId} A`,
    notes: context.withRunPrefix(`notes that are ${'very '.repeat(60)}long`),
    reference: context.withRunPrefix(`a reference that is ${'very '.repeat(20)}long`),
    // 2024 is a leap year.
    date: '2024-02-29',
    // 32-bit timestamps end in 2038.
    due_date: dateInDays(20 * 365),
    items: [
      { ...taxed, unit_price: 1090.35, tax_rate: 27 },
      { ...untaxed, tax_rate: 0 },
      // 0.5 %, which a target may mistake for the fraction 0.5, that is 50 %.
      {
        ...untaxed,
        tax_rate: 0.5,
        description: context.withRunPrefix(`a description that is ${'very '.repeat(30)}long`),
      },
      ...Array.from({ length: 9 }, (_item, index) => ({
        ...untaxed,
        description: context.withRunPrefix(`extra ${index + 1}`),
      })),
    ],
  };
});
/** Creates the first of two invoices that were due long ago. */
export const pastDueCreation = invoiceCreation('a new invoice that was due long ago', (context) => ({
  reference: context.withRunPrefix('due'),
  date: '2020-01-01',
  due_date: '2020-01-31',
}));
/**
 * Creates the second of two invoices that were due long ago. It was due some months after the first, and is for another
 * customer if the driver can create one.
 */
export const secondPastDueCreation = setup('another new invoice that was due long ago', async (context) => {
  return postInvoice(context, {
    reference: context.withRunPrefix('due too'),
    date: '2020-01-01',
    due_date: '2020-06-30',
    // The amount is above 1,000: in the overdue list, a target may format it with a thousands separator. Rounded to an
    // integer, it is below the net or above the gross sum.
    items: [{ ...validItems(context).taxed, unit_price: 1090.61 }, validItems(context).untaxed],
    ...(await newerCustomerIfPossible(context)),
  });
});

/** Id of an invoice that the target has returned, as text. @throws Blocked if it shows none */
export function idOfInvoice({ id }: JsonObject): string {
  if (id === undefined || id === null) throw new Blocked('the target has returned an invoice without an `id`');
  return String(id);
}

/** Path of an invoice, below the base URL. @throws Blocked if its record shows no id */
export function invoicePath(invoice: JsonObject): string {
  return `/invoices/${idOfInvoice(invoice)}`;
}

/** The invoice that `fullCreation` creates, as the response shows it. */
export const createdInvoice = createdRecord(fullCreation);
/** The invoice that `minimalCreation` creates: the request had no reference, notes or invoice number. */
export const minimalInvoice = createdRecord(minimalCreation);
export const pastDueInvoice = createdRecord(pastDueCreation);
export const secondPastDueInvoice = createdRecord(secondPastDueCreation);
export const minimumQuantityInvoice = createdRecord(minimumQuantityCreation);

/** End of the references of `concurrentInvoices`, by which a mutant recognizes them. */
export const concurrentReferenceSuffix = 'at once';

/** Two invoices without a given number, created concurrently. @throws Blocked if one of them was not created */
export const concurrentInvoices = setup(
  'two concurrent invoices',
  async (context): Promise<readonly [CreatedRecord, CreatedRecord]> => {
    const reference = context.withRunPrefix(concurrentReferenceSuffix);
    const create = async (): Promise<CreatedRecord> => withRecord(await postInvoice(context, { reference }));
    return Promise.all([create(), create()]);
  },
);

/** Matches an invoice number; its parts are what precedes the last digits, these digits, and what follows them. */
const lastDigitsPattern = /^(.*?)(\d+)(\D*)$/s;

/** Returns the last digits of an invoice number, which are usually a counter; -1 if it has no digits. */
function lastDigitsOf(number: unknown): bigint {
  return BigInt(lastDigitsPattern.exec(String(number))?.[2] ?? -1);
}

/** Returns an invoice number with its last digits increased by 1. */
function successorOf(number: string): string {
  return number.replace(
    lastDigitsPattern,
    (_number, start: string, digits: string, end: string) =>
      `${start}${String(BigInt(digits) + 1n).padStart(digits.length, '0')}${end}`,
  );
}

/** A number that was given to an invoice, and the creation of the next invoice, whose number the target generates. */
interface CreationAfterTakenNumber {
  readonly takenNumber: string;
  readonly next: Creation;
}

/**
 * Gives an invoice the number that the target would probably generate next, and creates another without a number.
 * @throws Skip if the target refuses the given number: the specification does not say which numbers are accepted
 */
export const creationAfterTakenNumber = setup(
  'an invoice created after another has taken the next number',
  async (context): Promise<CreationAfterTakenNumber> => {
    const [{ body }] = await context.use(concurrentInvoices);
    // Each year may have its own counter, so only the numbers of invoices with the same date are considered.
    const generated = createdSoFar(context, 'createInvoice')
      .filter((other) => other.body['invoice_number'] === undefined && other.body['date'] === body['date'])
      .map(({ record }) => record['invoice_number'])
      .sort((a, b) => (lastDigitsOf(a) < lastDigitsOf(b) ? -1 : 1));
    const takenNumber = successorOf(String(generated.at(-1)));
    const { exchange } = await postInvoice(context, {
      invoice_number: takenNumber,
      reference: context.withRunPrefix('next number'),
    });
    requireSuccessOrSkip(exchange, {
      missing: 'an invoice with the next number',
      reason: `${takenNumber} is refused, and the specification does not say which numbers are accepted`,
    });
    requireRecord(exchange);
    return {
      takenNumber,
      next: await postInvoice(context, { reference: context.withRunPrefix('number after it') }),
    };
  },
);

/** An existing invoice: one that the suite created, or the first of the list if the suite cannot create one. */
export const someInvoice = setup('an invoice', async (context): Promise<JsonObject> => {
  const created = await ifPossible(context.use(createdInvoice));
  if (created) return created.record;
  const [first] = recordsAt(requireSuccess(await context.get('/invoices?per_page=1')).json, 'data.data');
  if (!first) throw new Skip({ missing: 'an invoice', reason: 'the account has none, and none can be created' });
  return first;
});

/** The response with the detail view of `someInvoice`. */
export const someInvoiceDetail = setup('the detail view of an invoice', async (context) =>
  readCreatedRecord(context, invoicePath(await context.use(someInvoice))),
);
