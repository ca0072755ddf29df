import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseSeed, readSeed } from '../../src/files/seed-file.js';
import { demo } from '../../src/generated/seed-demo.js';
import { startSimulator } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { tempFolder } from '../support/temp-folder.js';
import { outcomeOf, seed, writeSeed } from './sample-seed.js';

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

describe('texts of a seed', () => {
  const [deposit] = seed.deposits;
  const longTexts = {
    ...seed,
    invoices: seed.invoices.map((invoice) => ({ ...invoice, notes: 'x'.repeat(6_000) })),
    deposits: [
      { ...deposit, booking_reference: `BK-${'x'.repeat(300)}\0`, metadata: { ['k'.repeat(50)]: 'x'.repeat(600) } },
    ],
  };

  test('may be as long, and have the characters, as the profile allows', () => {
    const choices = { 'text.lengths': 'unbounded', 'text.characters': 'accepted', 'metadata.size': 'unbounded' };
    expect(parseSeed(longTexts, choices).deposits).toMatchObject([
      { booking_reference: longTexts.deposits[0]?.booking_reference },
    ]);
  });

  test('are limited by the numbers of the profile', () => {
    const choices = { 'text.lengths': { bounds: { text: 20, notes: 20 } } };
    const deposits = [{ ...deposit, booking_reference: 'x'.repeat(21) }];
    expect(() => parseSeed({ ...seed, deposits }, choices)).toThrow(
      'deposits[0].booking_reference: must have at most 20 characters',
    );
  });

  test('that an earlier version stored are still read, and restored by a reset', async () => {
    const data = tempFolder();
    const path = join(data, 'seed.json');
    writeFileSync(path, JSON.stringify(longTexts));
    const profile = { 'text.lengths': 'unbounded', 'text.characters': 'accepted', 'metadata.size': 'unbounded' };
    const first = await startSimulator({ data: join(data, 'db'), seed: path, profile });
    await first.close();
    // With the default profile, which would refuse the seed.
    const second = await startSimulator({ data: join(data, 'db'), seed: path, profile: {} });
    onTestFinished(() => second.close());
    await second.account.reset();
    expect(await second.account.deposits.get(1)).toMatchObject({
      booking_reference: longTexts.deposits[0]?.booking_reference,
    });
  });
});

describe('the metadata of a seed has values of the types that the profile allows:', () => {
  const withMetadata = (metadata: object) => ({
    ...seed,
    deposits: seed.deposits.map((deposit) => ({ ...deposit, metadata })),
  });

  test('any value, also in an object', () => {
    const metadata = { rooms: [{ number: 7, tags: ['sea'] }], late: true, note: null };
    const parsed = parseSeed(withMetadata(metadata), { 'metadata.values': 'any' });
    expect(parsed.deposits).toMatchObject([{ metadata }]);
  });

  test.each([
    ['texts', { floor: 3 }, 'metadata.floor: must be a string, not the number 3'],
    ['scalars', { rooms: [7] }, 'metadata.rooms: must be a string, a number, true or false or null, not a list'],
    ['any', { rooms: ['\0'] }, 'metadata: must not contain NUL or unpaired surrogates'],
    ['any', { floors: [-Infinity] }, 'metadata: must not contain a number that is too large'],
  ])('with the choice %s, not %o', (choice, metadata, message) => {
    expect(() => parseSeed(withMetadata(metadata), { 'metadata.values': choice })).toThrow(`deposits[0].${message}`);
  });
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
    [
      'a reference to an invoice that is not in the seed',
      '"payment_link_id": 1',
      '"invoice_id": 7',
      '51: payments[0].invoice_id: the seed has no invoice 7',
    ],
  ])('%s', async (_problem, text, replacement, message) => {
    expect(await outcomeOf(writeSeed(text, replacement))).toBe(message);
  });

  test('a duplicate id', async () => {
    const [customer] = seed.customers;
    const path = writeSeed('"customers": [', `"customers": [${JSON.stringify(customer)},`);
    expect(await outcomeOf(path)).toBe('6: customers[1].id: customers[0] already has the id 1');
  });

  test.each([
    ['a repeated key', '"EUR"', '"USD",\n"currency": "EUR"', '3: the key `currency` is repeated'],
    ['a repeated key of a record', '"BK-1"', '"BK-1",\n"amount": 20', '65: the key `amount` is repeated'],
  ])('%s', async (_problem, text, replacement, message) => {
    expect(await outcomeOf(writeSeed(text, replacement))).toBe(message);
  });

  test.each([
    ['a reference', '"BK-1"', 'x'.repeat(256), '63: deposits[0].booking_reference: must have at most 255 characters'],
    ['a name', '"Ada"', 'x'.repeat(256), '7: customers[0].name: must have at most 255 characters'],
    ['an empty name', '"Ada"', '', '7: customers[0].name: must not be empty'],
    [
      'an email address',
      '"ada@inn.example"',
      `${'a'.repeat(250)}@b.example`,
      '8: customers[0].email: must have at most 255 characters',
    ],
    ['an invoice number', '"A-1"', 'x'.repeat(256), '21: invoices[0].invoice_number: must have at most 255 characters'],
    [
      'the description of an item',
      '"Room"',
      'x'.repeat(256),
      '30: invoices[0].items[0].description: must have at most 255 characters',
    ],
    [
      'the description of a link',
      '"Breakfast"',
      'x'.repeat(256),
      '42: payment_links[0].description: must have at most 255 characters',
    ],
    ['an empty payment method', '"card"', '', '55: payments[0].payment_method: must not be empty'],
    ['a payment method', '"card"', 'x'.repeat(256), '55: payments[0].payment_method: must have at most 255 characters'],
    [
      'a NUL',
      '"BK-1"',
      'BK\u0000',
      '63: deposits[0].booking_reference: `BK ` is not a text without NUL and unpaired surrogates',
    ],
    [
      'half an emoji',
      '"Room"',
      'Room \uD83D',
      '30: invoices[0].items[0].description: `Room ` is not a text without NUL and unpaired surrogates',
    ],
  ])('a text that the API would refuse: %s', async (_problem, text, replacement, message) => {
    expect(await outcomeOf(writeSeed(text, JSON.stringify(replacement)))).toBe(message);
  });

  test.each([
    ['longer notes than 5,000 characters', { notes: 'x'.repeat(5_001) }, 'notes: must have at most 5000 characters'],
    ['notes with a NUL', { notes: '\0' }, 'notes: ` ` is not a text without NUL and unpaired surrogates'],
    [
      'a longer reference than 255 characters',
      { reference: 'x'.repeat(256) },
      'reference: must have at most 255 characters',
    ],
    [
      'a longer name of its subscription than 255 characters',
      { subscription: { id: 1, name: 'x'.repeat(256), interval: 'month', status: 'active' } },
      'subscription.name: must have at most 255 characters',
    ],
  ])('an invoice with %s', (_problem, fields, message) => {
    const invoices = seed.invoices.map((invoice) => ({ ...invoice, ...fields }));
    expect(() => parseSeed({ ...seed, invoices }, {})).toThrow(`invoices[0].${message}`);
  });

  test.each([
    [
      'a longer value than 500 characters',
      { note: 'x'.repeat(501) },
      'metadata.note: must have at most 500 characters',
    ],
    [
      'a longer key than 40 characters',
      { ['k'.repeat(41)]: 1 },
      `metadata: the key \`${'k'.repeat(41)}\` must have at most 40 characters`,
    ],
    [
      'more than 50 keys',
      Object.fromEntries(Array.from({ length: 51 }, (_, key) => [key, 1])),
      'metadata: must have at most 50 keys',
    ],
    ['a NUL in a value', { note: '\0' }, 'metadata.note: ` ` is not a text without NUL and unpaired surrogates'],
  ])('metadata with %s', (_problem, metadata, message) => {
    const deposits = seed.deposits.map((deposit) => ({ ...deposit, metadata }));
    expect(() => parseSeed({ ...seed, deposits }, {})).toThrow(`deposits[0].${message}`);
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

test.each(['latin1', 'utf16le'] as const)('a file in %s instead of UTF-8 is refused', async (encoding) => {
  const path = join(tempFolder(), 'seed.yaml');
  writeFileSync(path, 'time_zone: UTC\ncurrency: EUR # für Zoë\n', encoding);
  if (encoding === 'utf16le') writeFileSync(path, `\uFEFF${readFileSync(path, encoding)}`, encoding);
  expect(await outcomeOf(path)).toBe(`FileError: cannot read ${path}: the file is not UTF-8`);
});

test('a snapshot is refused with a message that says how to use it', async () => {
  const path = join(tempFolder(), 'my seed.json');
  writeFileSync(path, '{"format":"billing-sim-snapshot","version":1}');
  expect(await outcomeOf(path)).toContain(
    `is a snapshot, not a seed; start the simulator, then run billing-sim snapshot import '${path}'`,
  );
});

test('an empty file is refused', async () => {
  const path = join(tempFolder(), 'seed.yaml');
  writeFileSync(path, '# no records yet\n');
  expect(await outcomeOf(path)).toBe('1: the file is empty');
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

test('a syntax error in a JSON file that has several lines is shown as a whole', async () => {
  const path = writeSeed('"UTC"', 'UTC');
  expect(await outcomeOf(path)).toMatch(
    /^FileError: cannot parse \S+: Unexpected token 'U', .*UTC, .* is not valid JSON$/,
  );
});

test('a YAML file with two documents is refused', async () => {
  const path = join(tempFolder(), 'seed.yaml');
  writeFileSync(path, 'currency: EUR\ntime_zone: UTC\n---\ncurrency: USD\n');
  expect(await outcomeOf(path)).toBe(
    `FileError: cannot parse ${path}: \`---\` begins another document, but the file must have only one`,
  );
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
  const failed = { status: 'failed', invoice_id: null, paid: null };
  const pending = { status: 'pending', authorized: null, released: null, captures: null };
  const records = { payments: [{ ...payment, ...failed }], deposits: [{ ...deposit, ...pending }] };
  writeFileSync(path, JSON.stringify({ ...seed, ...records }));
  const data = tempFolder();
  const simulator = await startSimulator({ seed: path, data });
  const client = clientOf(simulator.baseUrl, simulator.account.tokens?.full ?? '');
  expect((await client.GET('/payments')).data?.data.data).toMatchObject([{ payment_link_id: 1, paid_at: null }]);
  expect((await client.GET('/deposits')).data?.data.data).toMatchObject([{ authorized_at: null, released_at: null }]);
  await simulator.close();
  // The stored seed, to which a reset returns, is valid, too.
  const restarted = await startSimulator({ data });
  onTestFinished(() => restarted.close());
  await restarted.account.reset();
});
