import { type Client, type GapCases, openAccount } from '../test-account.js';

/** Posts each body, under a name that describes it. @returns the names of the bodies that were accepted with 201 */
async function postAll(client: Client, path: string, bodies: Readonly<Record<string, object>>): Promise<string[]> {
  const names: string[] = [];
  for (const [name, body] of Object.entries(bodies)) {
    const { status } = await client.post(path, body);
    if (status === 201) names.push(name);
  }
  return names;
}

function depositWith(metadata: unknown): object {
  return { booking_reference: 'BK-1', amount: 1, metadata };
}

function metadataPairs(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
}

function linkWith(description: string): object {
  return { description, amount: 1 };
}

function invoiceWith(fields: object): object {
  const items = [{ description: 'Consulting', quantity: 1, unit_price: 10 }];
  return { customer_id: 1, date: '2026-03-01', due_date: '2026-03-31', items, ...fields };
}

/** Expected result if both the link and the deposit are refused with this message. */
function bothRefused(message: string): [string, string] {
  return [message, message];
}

/** Tests of gaps (questions that the specification leaves open) about sizes of values and characters of texts. */
export const limits: GapCases = {
  'metadata.size': {
    async probe(choices) {
      const client = await openAccount(choices);
      return postAll(client, '/deposits', {
        '2 pairs': depositWith(metadataPairs(2)),
        '3 pairs': depositWith(metadataPairs(3)),
        '50 pairs': depositWith(metadataPairs(50)),
        '51 pairs': depositWith(metadataPairs(51)),
        'key of 4': depositWith({ ['k'.repeat(4)]: 1 }),
        'key of 5': depositWith({ ['k'.repeat(5)]: 1 }),
        'key of 40': depositWith({ ['k'.repeat(40)]: 1 }),
        'key of 41': depositWith({ ['k'.repeat(41)]: 1 }),
        'value of 6': depositWith({ k: 'v'.repeat(6) }),
        'value of 7': depositWith({ k: 'v'.repeat(7) }),
        'value of 500': depositWith({ k: 'v'.repeat(500) }),
        'value of 501': depositWith({ k: 'v'.repeat(501) }),
      });
    },
    choiceValues: { bounds: { keys: 2, key_length: 4, value_length: 6 } },
    expected: {
      '50-keys': [
        '2 pairs',
        '3 pairs',
        '50 pairs',
        'key of 4',
        'key of 5',
        'key of 40',
        'value of 6',
        'value of 7',
        'value of 500',
      ],
      bounds: ['2 pairs', 'key of 4', 'value of 6'],
      unbounded: [
        '2 pairs',
        '3 pairs',
        '50 pairs',
        '51 pairs',
        'key of 4',
        'key of 5',
        'key of 40',
        'key of 41',
        'value of 6',
        'value of 7',
        'value of 500',
        'value of 501',
      ],
    },
  },

  'metadata.values': {
    async probe(choices) {
      const client = await openAccount(choices);
      return postAll(client, '/deposits', {
        text: depositWith({ k: 'v' }),
        number: depositWith({ k: 1.5 }),
        boolean: depositWith({ k: true }),
        null: depositWith({ k: null }),
        object: depositWith({ k: {} }),
        list: depositWith({ k: [] }),
      });
    },
    expected: {
      scalars: ['text', 'number', 'boolean', 'null'],
      texts: ['text'],
      any: ['text', 'number', 'boolean', 'null', 'object', 'list'],
    },
  },

  'text.lengths': {
    async probe(choices) {
      const client = await openAccount(choices);
      const texts = await postAll(client, '/payment-links', {
        'text of 10': linkWith('x'.repeat(10)),
        'text of 11': linkWith('x'.repeat(11)),
        'text of 255': linkWith('x'.repeat(255)),
        'text of 256': linkWith('x'.repeat(256)),
        // A character that JavaScript stores as two code units counts as one.
        'text of 10 rockets': linkWith('🚀'.repeat(10)),
      });
      const notes = await postAll(client, '/invoices', {
        'notes of 20': invoiceWith({ notes: 'x'.repeat(20) }),
        'notes of 21': invoiceWith({ notes: 'x'.repeat(21) }),
        'notes of 5000': invoiceWith({ notes: 'x'.repeat(5000) }),
        'notes of 5001': invoiceWith({ notes: 'x'.repeat(5001) }),
      });
      const keys: string[] = [];
      for (const length of [10, 11, 255, 256]) {
        const headers = { 'Idempotency-Key': 'k'.repeat(length) };
        const { status } = await client.post('/deposits', { booking_reference: 'BK-1', amount: 1 }, { headers });
        if (status === 201) keys.push(`idempotency key of ${length}`);
      }
      return [...texts, ...notes, ...keys];
    },
    choiceValues: { bounds: { text: 10, notes: 20 } },
    expected: {
      '255-and-5000': [
        'text of 10',
        'text of 11',
        'text of 255',
        'text of 10 rockets',
        'notes of 20',
        'notes of 21',
        'notes of 5000',
        'idempotency key of 10',
        'idempotency key of 11',
        'idempotency key of 255',
      ],
      bounds: ['text of 10', 'text of 10 rockets', 'notes of 20', 'idempotency key of 10'],
      unbounded: [
        'text of 10',
        'text of 11',
        'text of 255',
        'text of 256',
        'text of 10 rockets',
        'notes of 20',
        'notes of 21',
        'notes of 5000',
        'notes of 5001',
        'idempotency key of 10',
        'idempotency key of 11',
        'idempotency key of 255',
      ],
    },
  },

  'text.characters': {
    async probe(choices) {
      const client = await openAccount(choices);
      const stored: unknown[] = [];
      for (const description of ['NUL \u0000', 'half \uD83D', 'whole 🚀', 'tab \t']) {
        stored.push((await client.post('/payment-links', linkWith(description))).valueAt('data.description'));
      }
      const key = await client.post('/deposits', depositWith({ 'k\u0000': 'v' }));
      const value = await client.post('/deposits', depositWith({ k: 'v\uDE80' }));
      const notes = await client.post('/invoices', invoiceWith({ notes: '\u0000' }));
      return [...stored, key.valueAt('data.metadata'), value.valueAt('data.metadata'), notes.status];
    },
    expected: {
      refused: [undefined, undefined, 'whole 🚀', 'tab \t', undefined, undefined, 422],
      accepted: ['NUL \u0000', 'half \uD83D', 'whole 🚀', 'tab \t', { 'k\u0000': 'v' }, { k: 'v\uDE80' }, 201],
    },
  },

  'amount.minor-units': {
    async probe(choices) {
      const client = await openAccount({ ...choices, 'decimal.encoding': 'string' });
      const reported: unknown[] = [];
      for (const [currency, amount] of [
        ['JPY', 1200],
        ['JPY', 1.5],
        ['KWD', 1.234],
        ['KWD', 1.2345],
        ['EUR', 1.23],
        ['EUR', 1.234],
      ]) {
        const link = await client.post('/payment-links', { description: 'March', amount, currency });
        const deposit = await client.post('/deposits', { booking_reference: 'BK-1', amount, currency });
        reported.push([
          link.valueAt('data.amount') ?? link.valueAt('errors.amount.0'),
          deposit.valueAt('data.amount') ?? deposit.valueAt('errors.amount.0'),
        ]);
      }
      // Deposit 8 is the first one created above, of 1200 JPY.
      client.authorize(8);
      const capture = await client.post('/deposits/8/capture', { amount: 0.5 });
      reported.push(capture.valueAt('data.remaining_amount') ?? capture.valueAt('errors.amount.0'));
      return reported;
    },
    expected: {
      'by-currency': [
        ['1200', '1200'],
        bothRefused('The amount field must have 0 decimal places.'),
        ['1.234', '1.234'],
        bothRefused('The amount field must have 0-3 decimal places.'),
        ['1.23', '1.23'],
        bothRefused('The amount field must have 0-2 decimal places.'),
        'The amount field must have 0 decimal places.',
      ],
      two: [
        ['1200.00', '1200.00'],
        ['1.50', '1.50'],
        bothRefused('The amount field must have 0-2 decimal places.'),
        bothRefused('The amount field must have 0-2 decimal places.'),
        ['1.23', '1.23'],
        bothRefused('The amount field must have 0-2 decimal places.'),
        '1199.50',
      ],
    },
  },

  'amount.maximum': {
    async probe(choices) {
      const client = await openAccount(choices);
      const link = (amount: number): object => ({ description: 'March', amount });
      const item = (unit_price: number, quantity = 1): object => ({ description: 'Work', unit_price, quantity });
      const links = await postAll(client, '/payment-links', {
        'link of 500': link(500),
        'link of 500.01': link(500.01),
        'link of 999999.99': link(999_999.99),
        'link of 1000000': link(1_000_000),
      });
      const deposits = await postAll(client, '/deposits', {
        'deposit of 500': { booking_reference: 'BK-1', amount: 500 },
        'deposit of 500.01': { booking_reference: 'BK-1', amount: 500.01 },
        'deposit of 1000000': { booking_reference: 'BK-1', amount: 1_000_000 },
      });
      const invoices = await postAll(client, '/invoices', {
        'item of 500': invoiceWith({ items: [item(500)] }),
        'item of 500.01': invoiceWith({ items: [item(500.01)] }),
        'invoice of 501': invoiceWith({ items: [item(250.5, 2)] }),
        'invoice of 1000000': invoiceWith({ items: [item(500_000), item(500_000)] }),
      });
      return [...links, ...deposits, ...invoices];
    },
    choiceValues: { maximum: 500 },
    expected: {
      '999999.99': [
        'link of 500',
        'link of 500.01',
        'link of 999999.99',
        'deposit of 500',
        'deposit of 500.01',
        'item of 500',
        'item of 500.01',
        'invoice of 501',
      ],
      maximum: ['link of 500', 'deposit of 500', 'item of 500'],
      unbounded: [
        'link of 500',
        'link of 500.01',
        'link of 999999.99',
        'link of 1000000',
        'deposit of 500',
        'deposit of 500.01',
        'deposit of 1000000',
        'item of 500',
        'item of 500.01',
        'invoice of 501',
        'invoice of 1000000',
      ],
    },
  },
};
