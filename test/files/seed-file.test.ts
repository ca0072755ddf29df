import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readSeed } from '../../src/files/seed-file.js';
import { demo } from '../../src/generated/seed-demo.js';
import { startSimulator } from '../../src/index.js';
import type { Choices } from '../../src/openapi/profile.js';
import { clientOf } from '../support/client.js';
import { tempFolder } from '../support/temp-folder.js';

const seed = {
  currency: 'EUR',
  time_zone: 'UTC',
  customers: [
    {
      id: 1,
      name: 'Ada',
      email: 'ada@inn.example',
      company: null,
      phone: null,
      address: null,
      city: null,
      postal_code: null,
      country: null,
      currency: null,
    },
  ],
  invoices: [
    {
      id: 1,
      invoice_number: 'A-1',
      reference: null,
      customer_id: 1,
      status: 'sent',
      date: '0',
      due_date: '8d',
      notes: null,
      items: [{ description: 'Room', quantity: 1, unit_price: 80, tax_rate: 7 }],
      subscription: null,
    },
  ],
  payment_links: [{ id: 1, description: 'Breakfast', amount: 10, is_active: true, created: '-8d' }],
  payments: [
    {
      id: 1,
      payment_link_id: 1,
      customer_id: 1,
      amount: 10,
      status: 'paid',
      payment_method: 'card',
      created: '-2h',
      paid: '-2h',
    },
  ],
  deposits: [
    {
      id: 1,
      booking_reference: 'BK-1',
      amount: 300,
      customer: null,
      check_in_date: '1d',
      check_out_date: '3d',
      metadata: {},
      status: 'partially_captured',
      created: '-1h',
      authorized: '-1h',
      captures: [{ amount: 20, description: null, at: '0' }],
    },
  ],
};

/**
 * Writes the seed to a JSON file with the first occurrence of a text replaced. Each key is on a separate line.
 * @returns path of the file
 */
function writeSeed(text: string, replacement: string): string {
  const json = JSON.stringify(seed, undefined, 2);
  expect(json).toContain(text);
  const path = join(tempFolder(), 'seed.json');
  writeFileSync(path, json.replace(text, replacement));
  return path;
}

/** Reads a seed file. @returns the error message without the path of the file, or `the seed was accepted` */
async function outcomeOf(path: string, choices?: Choices): Promise<string> {
  const error: unknown = await readSeed(path, choices).then(
    () => 'the seed was accepted',
    (reason: unknown) => reason,
  );
  return String(error).replace(`FileError: ${path}:`, '');
}

test('fields that a client may omit in a request may be omitted in a seed, with the same defaults', async () => {
  const path = join(tempFolder(), 'seed.json');
  const { deposits, invoices, payment_links, ...others } = seed;
  const without = (records: readonly object[], ...names: string[]) =>
    records.map((record) => Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name))));
  const file = {
    ...others,
    deposits: without(deposits, 'check_in_date', 'check_out_date'),
    invoices: invoices.map((invoice) => ({ ...invoice, items: without(invoice.items, 'tax_rate') })),
    payment_links: without(payment_links, 'is_active'),
  };
  writeFileSync(path, JSON.stringify(file));
  const read = await readSeed(path);
  expect(read.deposits).toMatchObject([{ check_in_date: null, check_out_date: null }]);
  expect(read.invoices).toMatchObject([{ items: [{ tax_rate: 0 }] }]);
  expect(read.payment_links).toMatchObject([{ is_active: true }]);
  const simulator = await startSimulator({ seed: path });
  onTestFinished(() => simulator.close());
  const { data } = await clientOf(simulator.baseUrl, simulator.account.tokens?.full ?? '').GET('/deposits');
  expect(data?.data.data).toMatchObject([{ booking_reference: 'BK-1', check_in_date: null, check_out_date: null }]);
});

describe('the error for an invalid seed file gives the line, the path and what is allowed:', () => {
  test.each([
    [
      'an unknown key of a record',
      '"check_in_date"',
      '"chek_in_date"',
      '66: deposits[0]: unknown key `chek_in_date`; did you mean `check_in_date`?',
    ],
    ['an unknown top-level key', '"time_zone"', '"timezone"', '3: unknown key `timezone`; did you mean `time_zone`?'],
    ['a missing key', '"currency": "EUR",', '', '1: `currency` is missing'],
    ['a missing key of a record', '"status": "paid",', '', '49: payments[0]: `status` is missing'],
    [
      'an unknown status',
      '"partially_captured",',
      '"held",',
      '69: deposits[0]: unknown status `held`; available: `pending`, `authorized`, `partially_captured`, `captured`, `released`, `expired`, `failed`',
    ],
    [
      'a misspelled status',
      '"partially_captured",',
      '"authorised",',
      '69: deposits[0]: unknown status `authorised`; did you mean `authorized`?',
    ],
    [
      'a status that is a number',
      '"paid"',
      '4',
      '54: payments[0].status: must be `paid`, `open`, `pending` or `failed`, not the number 4',
    ],
    ['a wrong type', '"BK-1"', '7', '63: deposits[0].booking_reference: must be a string, not the number 7'],
    [
      'an invalid time',
      '"-8d"',
      '"-1 month"',
      '45: payment_links[0].created: `-1 month` is not a time relative to the seeding (for example -8d, 2h or 0); months and years differ in length, so write them in days',
    ],
    [
      'a time that is the number 0',
      '"-8d"',
      '0',
      '45: payment_links[0].created: the number 0 is not a time relative to the seeding (for example -8d, 2h or 0); write it in quotes',
    ],
    [
      'a time in words',
      '"-8d"',
      '"yesterday"',
      '45: payment_links[0].created: `yesterday` is not a time relative to the seeding (for example -8d, 2h or 0)',
    ],
    ['an unknown time zone', '"UTC"', '"Mars"', '3: time_zone: `Mars` is not a time zone (for example Europe/Berlin)'],
    [
      'a currency that is not in use',
      '"EUR"',
      '"XXX"',
      '2: currency: `XXX` is not a code of a currency in use (for example EUR)',
    ],
    [
      'a currency in lower case',
      '"EUR"',
      '"eur"',
      '2: currency: `eur` is not a code of a currency in use (for example EUR)',
    ],
    [
      'a reference to a customer that is not in the seed',
      '"customer_id": 1',
      '"customer_id": 7',
      '23: invoices[0].customer_id: the seed has no customer 7',
    ],
    [
      'a reference to a payment link that is not in the seed',
      '"payment_link_id": 1',
      '"payment_link_id": 7',
      '51: payments[0].payment_link_id: the seed has no payment link 7',
    ],
  ])('%s', async (_problem, text, replacement, message) => {
    expect(await outcomeOf(writeSeed(text, replacement))).toBe(message);
  });

  test('a duplicate id', async () => {
    const [customer] = seed.customers;
    const path = writeSeed('"customers": [', `"customers": [${JSON.stringify(customer)},`);
    expect(await outcomeOf(path)).toBe('6: customers[1].id: customers[0] already has the id 1');
  });

  test('a list that is nested too deeply', async () => {
    const path = writeSeed('"EUR"', `${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    expect(await outcomeOf(path)).toBe('1: must not be nested more than 20 levels deep');
  });
});

test('a JSON file may begin with a byte order mark', async () => {
  // Replacing the empty string inserts at the start.
  const path = writeSeed('', '\uFEFF');
  expect(await readSeed(path)).toMatchObject({ currency: 'EUR' });
});

test('a snapshot is refused with a message that says how to use it', async () => {
  const path = join(tempFolder(), 'seed.json');
  writeFileSync(path, '{"format":"billing-sim-snapshot","version":1}');
  expect(await outcomeOf(path)).toContain(
    `is a snapshot, not a seed; start the simulator, then run billing-sim snapshot import ${path}`,
  );
});

test('errors in YAML files give the line, too', async () => {
  const path = join(tempFolder(), 'seed.yaml');
  writeFileSync(path, 'currency: EUR\ntime_zone: UTC\ndeposits:\n  - id: 1\n    booking_reference: 7\n');
  expect(await outcomeOf(path)).toMatch(/^4: deposits\[0\]: /);
});

test('a tag in a YAML file is refused without quoting its line, which may contain tokens', async () => {
  const path = join(tempFolder(), 'seed.yaml');
  writeFileSync(path, 'currency: EUR\ntime_zone: UTC\ntokens: !secret { full: f, read: r, write: w }\n');
  expect(await outcomeOf(path)).toBe(`FileError: cannot parse ${path}: Unresolved tag: !secret at line 3, column 9`);
});

describe('amounts that the API refuses are refused in a seed, too:', () => {
  const twoPlaces = 'must have at most 2 decimal places';
  test.each<[string, string, string, string, Choices?]>([
    ['of a deposit', '"amount": 300', '"amount": 1.999', `64: deposits[0].amount: ${twoPlaces}`],
    ['of a capture', '"amount": 20', '"amount": 1.999', `74: deposits[0].captures[0].amount: ${twoPlaces}`],
    ['of a payment link', '"amount": 10', '"amount": 0.001', `43: payment_links[0].amount: ${twoPlaces}`],
    ['of an item', '80', '80.001', `32: invoices[0].items[0].unit_price: ${twoPlaces}`],
    ['above the maximum', '300', '1000000', '64: deposits[0].amount: must be 999999.99 or less'],
    [
      'above the maximum of the profile',
      '300',
      '501',
      '64: deposits[0].amount: must be 500 or less',
      { 'amount.maximum': { maximum: 500 } },
    ],
    [
      'a negative total of an invoice',
      '80',
      '-80',
      '28: invoices[0].items: the total must be 0 or more',
      { 'invoice.unit-price': 'negative' },
    ],
  ])('%s', async (_record, text, replacement, message, choices) => {
    expect(await outcomeOf(writeSeed(text, replacement), choices)).toBe(message);
  });

  test.each([
    ['JPY', 'by-currency', '300.5', '64: deposits[0].amount: must have at most 0 decimal places'],
    ['JPY', 'two', '300.5', 'accepted'],
    ['KWD', 'by-currency', '300.125', 'accepted'],
    ['KWD', 'two', '300.125', `64: deposits[0].amount: ${twoPlaces}`],
  ])(
    'in %s, with the choice %s for amount.minor-units: the amount %s gives %s',
    async (currency, choice, amount, outcome) => {
      const path = join(tempFolder(), 'seed.json');
      writeFileSync(path, JSON.stringify({ ...seed, currency }, undefined, 2).replace('300', amount));
      expect(await outcomeOf(path, { 'amount.minor-units': choice })).toBe(
        outcome === 'accepted' ? 'the seed was accepted' : outcome,
      );
    },
  );
});

/** Replacement for `"payments": [` that inserts paid payments of invoice 1, which has an amount of 85.60. */
function paidPayments(...amounts: readonly number[]): string {
  const fields = {
    invoice_id: 1,
    customer_id: 1,
    status: 'paid',
    payment_method: 'card',
    created: '-2h',
    paid: '-2h',
  };
  const payments = amounts.map((amount, index) => JSON.stringify({ ...fields, id: index + 2, amount }));
  return `"payments": [${payments.join()},`;
}

const inTheFuture = 'must not be in the future; use 0, the time of the seeding, or an earlier time such as -1d';

/** Replacement for `"invoices": [` that inserts an invoice with the number of the seed's invoice. */
const invoiceWithSameNumber = `"invoices": [${JSON.stringify({ ...seed.invoices[0], id: 2 })},`;

/** A fully captured deposit, as JSON. @param status JSON of the status, with further keys after it if necessary */
const wholeAmountCaptured = (status: string): string =>
  `{ "id": 2, "booking_reference": "BK-2", "amount": 5, "created": "-2h", "authorized": "-2h", "captures": [{ "amount": 5, "at": "0" }], "status": ${status} }`;

describe('records that the API could not have created are refused:', () => {
  test.each<[string, string, string, string, Choices?]>([
    [
      'captures above the amount of their deposit',
      '"captures": [',
      '"captures": [{ "amount": 280.01, "at": "0" },',
      '72: deposits[0].captures: the captures must not exceed the amount of the deposit, 300',
    ],
    [
      'a paid payment above the amount of its invoice',
      '"payments": [',
      paidPayments(85.61),
      '48: payments[0].amount: the paid payments of invoice 1 must not exceed its amount, 85.6',
    ],
    [
      'paid payments whose sum is above the amount of their invoice',
      '"payments": [',
      paidPayments(60, 30),
      '48: payments[1].amount: the paid payments of invoice 1 must not exceed its amount, 85.6',
    ],
    [
      'an unpaid payment above the amount of its invoice',
      '"payments": [',
      paidPayments(85.61).replace('"paid"', '"failed"').replace('"paid":"-2h",', ''),
      '48: payments[0].amount: must be 85.6 or less, the amount of invoice 1',
    ],
    [
      'an invoice with a total above the maximum',
      '"quantity": 1',
      '"quantity": 20000',
      '28: invoices[0].items: the total must be 999999.99 or less',
    ],
    [
      'an invoice with a total above the maximum of the profile',
      '"quantity": 1',
      '"quantity": 6',
      '28: invoices[0].items: the total must be 500 or less',
      { 'amount.maximum': { maximum: 500 } },
    ],
    [
      'an invoice number that another invoice has',
      '"invoices": [',
      invoiceWithSameNumber,
      '21: invoices[1].invoice_number: invoices[0] already has the number `A-1`',
    ],
    [
      'an overdue invoice that is due in the future',
      '"sent"',
      '"overdue"',
      '26: invoices[0].due_date: must be in the past, such as -1d, because the status is `overdue`',
    ],
    [
      'an overdue invoice that is due on the day of the seeding',
      '"sent",\n      "date": "0",\n      "due_date": "8d"',
      '"overdue",\n      "date": "-8d",\n      "due_date": "0"',
      '26: invoices[0].due_date: must be in the past, such as -1d, because the status is `overdue`',
    ],
    ['an invoice that is due before its date', '"8d"', '"-1d"', '26: invoices[0].due_date: must not be before `date`'],
    [
      'a payment that was paid before its creation',
      '"paid": "-2h"',
      '"paid": "-3h"',
      '57: payments[0].paid: must not be before `created`',
    ],
    [
      'a paid payment without the time of its payment',
      '"created": "-2h",\n      "paid": "-2h"',
      '"created": "-2h"',
      '49: payments[0]: the status `paid` requires the key `paid`',
    ],
    [
      'a failed payment with the time of its payment',
      '"status": "paid"',
      '"status": "failed"',
      '57: payments[0].paid: the status `failed` does not allow this key',
    ],
    [
      'a payment whose amount differs from the amount of its payment link',
      '"amount": 10,\n      "status"',
      '"amount": 7,\n      "status"',
      '53: payments[0].amount: must be 10, the amount of payment link 1',
    ],
    [
      'a payment before the creation of its payment link',
      '"-8d"',
      '"-1h"',
      '56: payments[0].created: must not be before the creation of payment link 1, `-1h`',
    ],
    ['a payment link that is created in the future', '"-8d"', '"1s"', `45: payment_links[0].created: ${inTheFuture}`],
    ['a payment in the future', '"paid": "-2h"', '"paid": "2h"', `57: payments[0].paid: ${inTheFuture}`],
    [
      'an authorization in the future',
      '"deposits": [',
      '"deposits": [{ "id": 2, "booking_reference": "BK-2", "amount": 5, "status": "authorized", "created": "-2h", "authorized": "2d" },',
      `60: deposits[0].authorized: ${inTheFuture}`,
    ],
    ['a capture in the future', '"at": "0"', '"at": "3d"', `76: deposits[0].captures[0].at: ${inTheFuture}`],
    [
      'captures of the whole amount of a deposit that is partially captured',
      '"amount": 20',
      '"amount": 300',
      '69: deposits[0].status: must be `captured`, because the captures are the whole amount of the deposit, 300',
    ],
    [
      'captures of the whole amount of a deposit that is released',
      '"deposits": [',
      `"deposits": [${wholeAmountCaptured('"released", "released": "0"')},`,
      '60: deposits[0].status: must be `captured`, because the captures are the whole amount of the deposit, 5',
    ],
    [
      'a check-out before the check-in',
      '"3d"',
      '"0"',
      '67: deposits[0].check_out_date: must not be before `check_in_date`',
    ],
    [
      'an authorization before the creation',
      '"authorized": "-1h"',
      '"authorized": "-2h"',
      '71: deposits[0].authorized: must not be before `created`',
    ],
    [
      'a capture before the authorization',
      '"at": "0"',
      '"at": "-2h"',
      '76: deposits[0].captures[0].at: must not be before `authorized`',
    ],
    [
      'captures in the wrong order',
      '"captures": [',
      '"captures": [{ "amount": 5, "at": "0" }, { "amount": 5, "at": "-30m" },',
      '72: deposits[0].captures[1].at: must not be before `captures[0].at`',
    ],
    [
      'a release before the last capture',
      '"status": "partially_captured"',
      '"status": "released", "released": "-1h"',
      '69: deposits[0].released: must not be before `captures[0].at`',
    ],
    [
      'a deposit without the time of its authorization',
      '"authorized": "-1h",',
      '',
      '61: deposits[0]: the status `partially_captured` requires the key `authorized`',
    ],
    [
      'an expired deposit with captures but without the time of its authorization',
      '"status": "partially_captured",\n      "created": "-1h",\n      "authorized": "-1h",',
      '"status": "expired",\n      "created": "-1h",',
      '61: deposits[0]: captures require the key `authorized`',
    ],
    [
      'a captured deposit without captures',
      '"deposits": [',
      '"deposits": [{ "id": 2, "booking_reference": "BK-2", "amount": 5, "status": "captured", "created": "-2h", "authorized": "-2h", "captures": [] },',
      '60: deposits[0]: the status `captured` requires the key `captures`',
    ],
    [
      'captures of a deposit in another status',
      '"partially_captured"',
      '"authorized"',
      '72: deposits[0].captures: the status `authorized` does not allow this key',
    ],
    [
      'a release of a deposit in another status',
      '"created": "-1h"',
      '"created": "-1h", "released": "0"',
      '70: deposits[0].released: the status `partially_captured` does not allow this key',
    ],
    [
      'two equal tokens',
      '"time_zone": "UTC"',
      '"time_zone": "UTC",\n  "tokens": {\n    "full": "a",\n    "read": "b",\n    "write": "a"\n  }',
      '7: tokens.write: must not be the same token as `full`, which has other scopes',
    ],
    [
      'a customer whose email is not an email address',
      '"ada@inn.example"',
      '"ada"',
      '8: customers[0].email: `ada` is not a valid email address (for example ada@inn.example)',
    ],
    [
      'a deposit of a customer whose email is not an email address',
      '"customer": null',
      '"customer": { "name": null, "email": "ada" }',
      '65: deposits[0].customer.email: `ada` is not a valid email address (for example ada@inn.example)',
    ],
    [
      'a payment link in a currency that the profile refuses',
      '"EUR"',
      '"USD"',
      '40: payment_links[0]: the profile refuses payment links in USD (gap link.currency-others)',
      { 'link.currency-others': 'refused' },
    ],
  ])('%s', async (_problem, text, replacement, message, choices) => {
    expect(await outcomeOf(writeSeed(text, replacement), choices)).toBe(message);
  });

  test('a payment with more decimal places than the currency of its invoice', async () => {
    const path = writeSeed('"payments": [', paidPayments(10.5));
    const text = readFileSync(path, 'utf8').replace('"sent"', '"partial"');
    writeFileSync(path, text.replace('"currency": null', '"currency": "JPY"'));
    expect(await outcomeOf(path, { 'invoice.currency': 'account' })).toBe('the seed was accepted');
    expect(await outcomeOf(path, { 'invoice.currency': 'customer' })).toBe(
      '48: payments[0].amount: must have at most 0 decimal places',
    );
  });
});

describe('records that the API could have created are accepted:', () => {
  test.each<[string, string, string, Choices?]>([
    ['captures of the whole amount', '"deposits": [', `"deposits": [${wholeAmountCaptured('"captured"')},`],
    [
      'failed payments above the amount',
      '"payments": [',
      paidPayments(60, 30).replaceAll('"status":"paid"', '"status":"failed"').replaceAll(',"paid":"-2h"', ''),
    ],
    [
      'the same invoice number, if the profile accepts it',
      '"invoices": [',
      invoiceWithSameNumber,
      { 'invoice.number-duplicate': 'accepted' },
    ],
    [
      'a payment link in EUR, if the profile accepts no others',
      '"EUR"',
      '"EUR"',
      { 'link.currency-others': 'refused' },
    ],
    ['a payment link in another currency', '"EUR"', '"USD"'],
    ['an invoice that is due at its date', '"8d"', '"0"'],
    ['a check-out at the check-in', '"3d"', '"1d"'],
    ['a check-out before the check-in, if the profile accepts it', '"3d"', '"0"', { 'deposit.dates': 'accepted' }],
    ['a deposit of a customer without an email', '"customer": null', '"customer": { "name": "Ada", "email": null }'],
    [
      'a deposit of a customer with any email, if the profile accepts it',
      '"customer": null',
      '"customer": { "name": null, "email": "ada" }',
      { 'deposit.customer-email': 'accepted' },
    ],
    ['a deposit that was released after a partial capture', '"partially_captured"', '"released", "released": "0"'],
    [
      'a deposit that expired before it was authorized',
      '"deposits": [',
      '"deposits": [{ "id": 2, "booking_reference": "BK-2", "amount": 5, "status": "expired", "created": "-1h" },',
    ],
  ])('%s', async (_record, text, replacement, choices) => {
    expect(await outcomeOf(writeSeed(text, replacement), choices)).toBe('the seed was accepted');
  });
});

test('a payment of an invoice by another customer is refused', async () => {
  const path = writeSeed('"customers": [', `"customers": [${JSON.stringify({ ...seed.customers[0], id: 2 })},`);
  const payment = paidPayments(85.6).replace('"customer_id":1', '"customer_id":2');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"payments": [', payment));
  expect(await outcomeOf(path)).toBe('48: payments[0].customer_id: must be 1, the customer of invoice 1');
});

describe('the status of an invoice must match its paid payments:', () => {
  const anyUnpaid = '`draft`, `pending`, `sent`, `viewed`, `overdue` or `cancelled`';
  const inPart = '`partial`, `overdue` or `cancelled`';

  test.each([
    ...['draft', 'pending', 'sent', 'viewed', 'overdue', 'cancelled'].map((status) => ({ status, amounts: [] })),
    ...['partial', 'overdue', 'cancelled'].map((status) => ({ status, amounts: [60] })),
    { status: 'paid', amounts: [60, 25.6] },
  ])('$status with the payments $amounts of 85.6 is accepted', async ({ status, amounts }) => {
    expect(await outcomeOf(writePaidInvoice(status, amounts))).toBe('the seed was accepted');
  });

  test.each([
    ...['draft', 'pending', 'sent', 'viewed'].map((status) => ({ status, amounts: [60], paid: 60, statuses: inPart })),
    ...['draft', 'sent', 'partial', 'overdue', 'cancelled'].map((status) => ({
      status,
      amounts: [60, 25.6],
      paid: 85.6,
      statuses: '`paid`',
    })),
    { status: 'partial', amounts: [], paid: 0, statuses: anyUnpaid },
    { status: 'paid', amounts: [], paid: 0, statuses: anyUnpaid },
    { status: 'paid', amounts: [60], paid: 60, statuses: inPart },
  ])('$status with the payments $amounts of 85.6 is refused', async ({ status, amounts, paid, statuses }) => {
    expect(await outcomeOf(writePaidInvoice(status, amounts))).toBe(
      `24: invoices[0].status: \`${status}\` does not match the paid payments of this invoice, ${paid} of 85.6; change them, or use ${statuses}`,
    );
  });

  test.each(['pending', 'overdue', 'paid'])('%s is accepted for an invoice of 0', async (status) => {
    const path = writePaidInvoice(status, []);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"unit_price": 80', '"unit_price": 0'));
    expect(await outcomeOf(path)).toBe('the seed was accepted');
  });

  /** Writes a seed file whose invoice, of 85.60, has a status and paid payments. */
  function writePaidInvoice(status: string, amounts: readonly number[]): string {
    // Due in the past, as an overdue invoice must be.
    const path = writeSeed(
      '"sent",\n      "date": "0",\n      "due_date": "8d"',
      `"${status}",\n      "date": "-8d",\n      "due_date": "-1d"`,
    );
    if (amounts.length > 0)
      writeFileSync(path, readFileSync(path, 'utf8').replace('"payments": [', paidPayments(...amounts)));
    return path;
  }
});

test('the demo seed is accepted as a file', async () => {
  expect(await readSeed('fixtures/accounts/demo.json')).toEqual(demo);
});

test('a seed may omit empty lists and fields that are null', async () => {
  const path = join(tempFolder(), 'seed.yaml');
  writeFileSync(path, 'currency: EUR\ntime_zone: UTC\ncustomers: [{ id: 1, name: Ada, email: ada@inn.example }]\n');
  const { customers, currency, time_zone } = seed;
  expect(await readSeed(path)).toEqual({
    currency,
    time_zone,
    customers,
    invoices: [],
    payment_links: [],
    payments: [],
    deposits: [],
  });
});

test('times, ids and captures that a seed may omit may be null', async () => {
  const [payment] = seed.payments;
  const [deposit] = seed.deposits;
  const path = join(tempFolder(), 'seed.json');
  const failed = { status: 'failed', payment_link_id: null, invoice_id: null, paid: null };
  const pending = { status: 'pending', authorized: null, released: null, captures: null };
  const records = { payments: [{ ...payment, ...failed }], deposits: [{ ...deposit, ...pending }] };
  writeFileSync(path, JSON.stringify({ ...seed, ...records }));
  const data = tempFolder();
  const simulator = await startSimulator({ seed: path, data });
  const client = clientOf(simulator.baseUrl, simulator.account.tokens?.full ?? '');
  expect((await client.GET('/payments')).data?.data.data).toMatchObject([{ payment_link_id: null, paid_at: null }]);
  expect((await client.GET('/deposits')).data?.data.data).toMatchObject([{ authorized_at: null, released_at: null }]);
  await simulator.close();
  // The stored seed, to which a reset returns, is valid, too.
  const restarted = await startSimulator({ data });
  onTestFinished(() => restarted.close());
  await restarted.account.reset();
});
