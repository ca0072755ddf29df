import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSeed } from '../../src/files/seed-file.js';
import type { Choices } from '../../src/openapi/profile.js';
import { tempFolder } from '../support/temp-folder.js';
import { outcomeOf, seed, writeSeed } from './sample-seed.js';

describe('amounts that the API refuses are refused in a seed, too:', () => {
  const twoPlaces = 'must have at most 2 decimal places';
  test.each<[string, string, string, string, Choices?]>([
    ['of a deposit', '"amount": 300', '"amount": 1.999', `64: deposits[0].amount: ${twoPlaces}`],
    ['of a capture', '"amount": 20', '"amount": 1.999', `74: deposits[0].captures[0].amount: ${twoPlaces}`],
    ['of a payment link', '"amount": 10', '"amount": 0.001', `43: payment_links[0].amount: ${twoPlaces}`],
    [
      'a tax rate above 100 %',
      '"tax_rate": 7',
      '"tax_rate": 101',
      '33: invoices[0].items[0].tax_rate: must be 100 or less',
    ],
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

  test.each<[string, string, string, Choices]>([
    ['amount', '"amount": 300', '"amount": 9999999999999.99', { 'amount.maximum': 'unbounded' }],
    ['unit price', '80', '9000000000000', { 'amount.maximum': 'unbounded' }],
    [
      'tax rate',
      '"tax_rate": 7',
      '"tax_rate": 1000000000',
      { 'amount.maximum': 'unbounded', 'invoice.tax-rate': 'unbounded' },
    ],
  ])('but the largest %s of the profile is accepted', async (_field, text, replacement, choices) => {
    expect(await outcomeOf(writeSeed(text, replacement), choices)).toBe('the seed was accepted');
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
      '26: invoices[0].due_date: must be at least a day in the past, such as -1d, because the status is `overdue`',
    ],
    [
      'an overdue invoice that is due on the day of the seeding',
      '"sent",\n      "date": "0",\n      "due_date": "8d"',
      '"overdue",\n      "date": "-8d",\n      "due_date": "0"',
      '26: invoices[0].due_date: must be at least a day in the past, such as -1d, because the status is `overdue`',
    ],
    [
      'an overdue invoice that may be due on the day of the seeding',
      '"sent",\n      "date": "0",\n      "due_date": "8d"',
      '"overdue",\n      "date": "-8d",\n      "due_date": "-23h"',
      '26: invoices[0].due_date: must be at least a day in the past, such as -1d, because the status is `overdue`',
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
      'a payment that belongs to nothing',
      '"payment_link_id": 1,',
      '',
      '49: payments[0]: must have exactly one of the keys `payment_link_id` and `invoice_id`',
    ],
    [
      'a payment of a payment link and an invoice',
      '"payment_link_id": 1,',
      '"payment_link_id": 1, "invoice_id": 1,',
      '49: payments[0]: must have exactly one of the keys `payment_link_id` and `invoice_id`',
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
      'captures of a part of the amount of a deposit that is captured',
      '"partially_captured"',
      '"captured"',
      '69: deposits[0].status: `captured` does not match the captures, 20 of 300; change them, or use `partially_captured` or `expired`',
    ],
    [
      'captures of a part of the amount of a deposit that was released and is captured',
      '"status": "partially_captured"',
      '"status": "captured", "released": "0"',
      '69: deposits[0].status: `captured` does not match the captures, 20 of 300; change them, or use `released`',
    ],
    [
      'captures of a part of the amount of a deposit that is released, if the profile calls it captured',
      '"status": "partially_captured"',
      '"status": "released", "released": "0"',
      '69: deposits[0].status: `released` does not match the captures, 20 of 300; change them, or use `captured`',
      { 'deposit.release-partial': 'captured' },
    ],
    [
      'captures of a part of the amount of a deposit that is expired, if the profile calls it captured',
      '"partially_captured"',
      '"expired"',
      '69: deposits[0].status: `expired` does not match the captures, 20 of 300; change them, or use `partially_captured` or `captured`',
      { 'deposit.expire-partial': 'captured' },
    ],
    [
      'a release of a deposit whose whole amount was captured',
      '"deposits": [',
      `"deposits": [${wholeAmountCaptured('"captured", "released": "0"')},`,
      '60: deposits[0].released: must be omitted, because the captures are the whole amount of the deposit',
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

  test('a payment of a payment link that has more decimal places than the currency of the seed', () => {
    const payments = seed.payments.map((payment) => ({ ...payment, amount: 10.125 }));
    expect(() => parseSeed({ ...seed, payments }, {})).toThrow(
      'payments[0].amount: must have at most 2 decimal places',
    );
  });
});

describe('records that the API could have created are accepted:', () => {
  test('a payment with the decimal places of its invoice, whose currency has more than that of the seed', () => {
    const customers = seed.customers.map((customer) => ({ ...customer, currency: 'KWD' }));
    const items = [{ description: 'Room', quantity: 0.55, unit_price: 0.55 }];
    const invoices = seed.invoices.map((invoice) => ({ ...invoice, status: 'paid', items }));
    const payments = seed.payments.map((payment) => ({
      ...payment,
      payment_link_id: null,
      invoice_id: 1,
      amount: 0.303,
    }));
    const choices = { 'invoice.currency': 'customer' };
    expect(parseSeed({ ...seed, customers, invoices, payments }, choices).payments).toMatchObject([{ amount: 0.303 }]);
  });

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
    ['a deposit that expired after a partial capture', '"partially_captured"', '"expired"'],
    [
      'a deposit that is captured because it was released after a partial capture, if the profile says so',
      '"partially_captured"',
      '"captured", "released": "0"',
      { 'deposit.release-partial': 'captured' },
    ],
    [
      'a deposit that is captured because it expired after a partial capture, if the profile says so',
      '"partially_captured"',
      '"captured"',
      { 'deposit.expire-partial': 'captured' },
    ],
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

  // Its dates are in the time zone of the account. An invoice becomes overdue at midnight in UTC by default.
  test.each<[string, string, Choices?]>([
    [
      '-1d',
      '26: invoices[0].due_date: must be at least two days in the past, such as -2d, because the status is `overdue`',
    ],
    ['-2d', 'the seed was accepted'],
    ['-1d', 'the seed was accepted', { 'invoice.overdue-moment': 'account-day' }],
  ])('an overdue invoice that is due %s, of an account in Paris: %s', async (due, outcome, choices) => {
    const path = writePaidInvoice('overdue', []);
    const text = readFileSync(path, 'utf8').replace('"UTC"', '"Europe/Paris"').replace('"-1d"', `"${due}"`);
    writeFileSync(path, text);
    expect(await outcomeOf(path, choices)).toBe(outcome);
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
