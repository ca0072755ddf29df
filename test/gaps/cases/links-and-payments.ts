import { paymentLifecycle } from '../../../src/domain/payment-lifecycle.js';
import { type Client, fieldValues, type GapCases, openAccount, openDefaultAccount } from '../test-account.js';

/** Creates a link with a description. @returns its slug, which is the last part of its URL */
async function createSlug(client: Client, description: string): Promise<string> {
  const created = await client.post('/payment-links', { description, amount: 1 });
  return String(created.valueAt('data.url')).replace(/^.*\//, '');
}

/** Tests of gaps (questions that the specification leaves open) about payment links and payments. */
export const linksAndPayments: GapCases = {
  'link.slug': {
    async probe(choices) {
      const client = await openAccount(choices);
      const descriptions = ['Été à Paris!', 'ÉTÉ À PARIS!', 'Room 12 / B', '!!!', 'plain', 'Straße', '..'];
      const slugs: string[] = [];
      for (const description of descriptions) slugs.push(await createSlug(client, description));
      return slugs;
    },
    expected: {
      dashes: ['ete-a-paris', 'ete-a-paris-2', 'room-12-b', 'link', 'plain', 'strasse', 'link-2'],
      'percent-encoded': [
        '%C3%A9t%C3%A9%20%C3%A0%20paris!',
        '%C3%A9t%C3%A9%20%C3%A0%20paris!-2',
        'room%2012%20%2F%20b',
        '!!!',
        'plain',
        'stra%C3%9Fe',
        'link',
      ],
    },
  },

  'link.slug-scope': {
    async probe(choices) {
      const client = await openDefaultAccount(choices);
      const another = await client.openAnotherAccount();
      return [await createSlug(client, 'Same'), await createSlug(another, 'Same'), await createSlug(client, 'Same')];
    },
    expected: { account: ['same', 'same', 'same-2'], global: ['same', 'same-2', 'same-3'] },
  },

  'link.currency-others': {
    async probe(choices) {
      const client = await openAccount(choices);
      const results: unknown[][] = [];
      for (const currency of ['EUR', 'USD', 'XXX', undefined]) {
        const response = await client.post('/payment-links', { description: 'March', amount: 1, currency });
        results.push([response.status, response.valueAt('data.currency')]);
      }
      return results;
    },
    expected: {
      'iso-4217': [
        [201, 'EUR'],
        [201, 'USD'],
        [422, undefined],
        [201, 'EUR'],
      ],
      refused: [
        [201, 'EUR'],
        [422, undefined],
        [422, undefined],
        [201, 'EUR'],
      ],
    },
  },

  'link.amount-range': {
    async probe(choices) {
      const client = await openAccount(choices);
      const results: unknown[][] = [];
      for (const amount of [1.01, 1.005, 0, -1, -1.005]) {
        const response = await client.post('/payment-links', { description: 'March', amount });
        results.push([response.status, response.valueAt('data.amount')]);
      }
      return results;
    },
    expected: {
      refused: [
        [201, 1.01],
        [422, undefined],
        [422, undefined],
        [422, undefined],
        [422, undefined],
      ],
      rounded: [
        [201, 1.01],
        [201, 1.01],
        [201, 0],
        [201, -1],
        [201, -1],
      ],
    },
  },

  'link.deactivation': {
    async probe(choices) {
      const client = await openAccount(choices);
      await client.post('/payment-links', { description: 'April', amount: 10 });
      const lists: unknown[][] = [];
      const outcomes: string[] = [];
      for (const outcome of ['failed', 'pending', 'paid', 'paid'] as const) {
        outcomes.push(client.payLink(4, outcome));
        lists.push(fieldValues((await client.get('/payment-links')).valueAt('data.data'), 'is_active'));
      }
      return [outcomes, ...lists];
    },
    // Each list shows links 4, 2, 1 and 3. Link 3 was inactive from the start; links 2 and 1 had been paid before.
    expected: {
      never: [
        ['failed', 'pending', 'paid', 'paid'],
        [true, true, true, false],
        [true, true, true, false],
        [true, true, true, false],
        [true, true, true, false],
      ],
      'after-payment': [
        ['failed', 'pending', 'paid', 'payment-link-inactive'],
        [true, false, false, false],
        [true, false, false, false],
        [false, false, false, false],
        [false, false, false, false],
      ],
    },
  },

  'payment.methods': {
    async probe(choices) {
      const client = await openAccount(choices);
      const payments = await client.get('/payments');
      const detail = await client.get('/invoices/6');
      return [
        fieldValues(payments.valueAt('data.data'), 'payment_method'),
        detail.valueAt('data.transactions.0.payment_method'),
      ];
    },
    choiceValues: { only: ['cash', 'card'] },
    expected: {
      common: [
        ['ideal', 'bank_transfer', 'sepa_debit', 'card', 'bank_transfer', 'paypal', 'card', 'card'],
        'bank_transfer',
      ],
      only: [['card', 'card', 'cash', 'card', 'cash', 'cash', 'card', 'card'], 'cash'],
    },
  },

  'payment.transitions': {
    // The API has no operations for these transitions, so the table itself is compared.
    probe: () => paymentLifecycle.map(({ from, cause, to, event }) => [from.join(', '), cause, to, event]),
    expected: {
      table: [
        ['open', 'start', 'pending', undefined],
        ['open, pending', 'succeed', 'paid', 'payment.succeeded'],
        ['open, pending', 'fail', 'failed', undefined],
      ],
    },
  },

  'payment.date-filter': {
    async probe(choices) {
      const client = await openAccount(choices);
      const ranges = [
        'from=2026-02-21&to=2026-02-21',
        'from=2026-02-22&to=2026-02-22',
        'from=2026-02-27',
        'to=2026-02-10',
      ];
      const listedIds: unknown[][] = [];
      for (const range of ranges)
        listedIds.push(fieldValues((await client.get(`/payments?${range}`)).valueAt('data.data'), 'id'));
      return listedIds;
    },
    // Payment 7 was created on 21 February and paid on 22 February; 3, 4 and 8 are unpaid; 2 has failed.
    expected: { 'created-at': [[7], [], [4, 8, 3], [5, 2, 1]], 'paid-at': [[], [7], [], [1]] },
  },

  'payment.range-reversed': {
    async probe(choices) {
      const client = await openAccount(choices);
      const reversed = await client.get('/payments?from=2026-02-27&to=2026-02-10');
      const oneDay = await client.get('/payments?from=2026-02-21&to=2026-02-21');
      return [
        reversed.status,
        reversed.valueAt('data.total'),
        reversed.valueAt('errors'),
        oneDay.valueAt('data.total'),
      ];
    },
    expected: {
      empty: [200, 0, undefined, 1],
      refused: [422, undefined, { to: ['The to field must be a date after or equal to from.'] }, 1],
    },
  },

  'payment.paid-at-unpaid': {
    async probe(choices) {
      const client = await openAccount(choices);
      const payments = await client.get('/payments');
      return fieldValues(payments.valueAt('data.data'), 'paid_at').slice(2, 4);
    },
    // Payment 3, which is unpaid, and payment 6, which is paid.
    expected: {
      null: [null, '2026-02-23T09:00:00+00:00'],
      absent: [undefined, '2026-02-23T09:00:00+00:00'],
    },
  },
};
