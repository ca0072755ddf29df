import { invoiceLifecycle } from '../../../src/domain/invoice-lifecycle.js';
import { fieldValues, type GapCases, openAccount } from '../test-account.js';

const item = { description: 'Consulting', quantity: 1, unit_price: 10 };

function invoice(overrides: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { customer_id: 1, date: '2026-03-01', due_date: '2026-03-31', items: [item], ...overrides };
}

/** Tests of gaps (questions that the specification leaves open) about invoices. */
export const invoices: GapCases = {
  'invoice.number-format': {
    async probe(choices) {
      const client = await openAccount(choices);
      const dates = ['2026-03-01', '2026-12-31', '2027-01-01'];
      const numbers: unknown[] = [];
      for (const date of dates) {
        const created = await client.post('/invoices', invoice({ date, due_date: date }));
        numbers.push(created.valueAt('data.invoice_number'));
      }
      return numbers;
    },
    choiceValues: { pattern: 'R{number:3}/{year}' },
    expected: {
      yearly: ['INV-2026-00001', 'INV-2026-00002', 'INV-2027-00001'],
      pattern: ['R001/2026', 'R002/2026', 'R001/2027'],
    },
  },

  'invoice.number-duplicate': {
    async probe(choices) {
      const client = await openAccount(choices);
      const response = await client.post('/invoices', invoice({ invoice_number: 'DEMO-0001' }));
      return [response.status, response.valueAt('errors'), response.valueAt('data.invoice_number')];
    },
    expected: {
      refused: [422, { invoice_number: ['The invoice number has already been taken.'] }, undefined],
      accepted: [201, undefined, 'DEMO-0001'],
    },
  },

  'invoice.number-blank': {
    async probe(choices) {
      const client = await openAccount(choices);
      const results: unknown[] = [];
      for (const number of ['', ' \t', '']) {
        const response = await client.post('/invoices', invoice({ invoice_number: number }));
        results.push(response.valueAt('data.invoice_number') ?? response.valueAt('errors.invoice_number.0'));
      }
      return results;
    },
    expected: {
      generated: ['INV-2026-00001', 'INV-2026-00002', 'INV-2026-00003'],
      refused: [
        'The invoice number field is required.',
        'The invoice number field is required.',
        'The invoice number field is required.',
      ],
      kept: ['', ' \t', 'The invoice number has already been taken.'],
    },
  },

  'invoice.amount': {
    async probe(choices) {
      const client = await openAccount(choices);
      const third = { description: 'Third of 100', quantity: 1, unit_price: 33.33, tax_rate: 19.6 };
      const created = await client.post('/invoices', invoice({ items: [third, third, third] }));
      return created.valueAt('data.amount');
    },
    expected: { 'taxed-lines': 119.58, net: 99.99, 'rounded-once': 119.59 },
  },

  'invoice.currency': {
    async probe(choices) {
      const client = await openAccount(choices);
      const forEuroCustomer = await client.post('/invoices', invoice({ customer_id: 1 }));
      const forDollarCustomer = await client.post('/invoices', invoice({ customer_id: 3 }));
      return [forEuroCustomer.valueAt('data.currency'), forDollarCustomer.valueAt('data.currency')];
    },
    expected: { account: ['EUR', 'EUR'], customer: ['EUR', 'USD'] },
  },

  'invoice.line-total': {
    async probe(choices) {
      const client = await openAccount(choices);
      const items = [{ description: 'Course', quantity: 2, unit_price: 50, tax_rate: 20 }];
      const created = await client.post('/invoices', invoice({ items }));
      return [created.valueAt('data.invoice_items.0.total'), created.valueAt('data.amount')];
    },
    expected: { included: [120, 120], excluded: [100, 120] },
  },

  'invoice.item-places': {
    async probe(choices) {
      const client = await openAccount(choices);
      const responses = [
        await client.post('/invoices', invoice({ items: [{ ...item, quantity: 1.25 }] })),
        await client.post('/invoices', invoice({ items: [{ ...item, quantity: 1.125 }] })),
        await client.post('/invoices', invoice({ items: [{ ...item, unit_price: 10.125 }] })),
        await client.post('/invoices', invoice({ items: [{ ...item, tax_rate: 5.125 }] })),
        await client.post('/invoices', invoice({ items: [{ ...item, quantity: 1.0625 }] })),
        await client.post('/invoices', invoice({ items: [{ ...item, unit_price: 10.000000001 }] })),
      ];
      return responses.map((response) => [response.status, response.valueAt('data.amount')]);
    },
    choiceValues: { places: 3 },
    expected: {
      '2': [
        [201, 12.5],
        [422, undefined],
        [422, undefined],
        [422, undefined],
        [422, undefined],
        [422, undefined],
      ],
      places: [
        [201, 12.5],
        [201, 11.25],
        [201, 10.13],
        [201, 10.51],
        [422, undefined],
        [422, undefined],
      ],
      any: [
        [201, 12.5],
        [201, 11.25],
        [201, 10.13],
        [201, 10.51],
        [201, 10.63],
        [201, 10],
      ],
    },
  },

  'invoice.unit-price': {
    async probe(choices) {
      const client = await openAccount(choices);
      const discount = { ...item, unit_price: -1 };
      const free = await client.post('/invoices', invoice({ items: [{ ...item, unit_price: 0 }] }));
      const reduced = await client.post('/invoices', invoice({ items: [item, discount] }));
      const negative = await client.post('/invoices', invoice({ items: [discount] }));
      return [free.status, reduced.status, reduced.valueAt('data.amount'), negative.status, negative.valueAt('errors')];
    },
    expected: {
      'zero-or-more': [
        201,
        422,
        undefined,
        422,
        { 'items.0.unit_price': ['The items.0.unit_price field must be at least 0.'] },
      ],
      negative: [201, 201, 9, 422, { items: ['The total of the items must be at least 0.'] }],
    },
  },

  'invoice.tax-rate': {
    async probe(choices) {
      const client = await openAccount(choices);
      const statuses: string[] = [];
      for (const tax_rate of [-1, 0, 19, 20, 100, 101, 10_001]) {
        const { status } = await client.post('/invoices', invoice({ items: [{ ...item, tax_rate }] }));
        statuses.push(`${tax_rate} %: ${status}`);
      }
      return statuses;
    },
    choiceValues: { maximum: 19.5 },
    expected: {
      '0-to-100': ['-1 %: 422', '0 %: 201', '19 %: 201', '20 %: 201', '100 %: 201', '101 %: 422', '10001 %: 422'],
      maximum: ['-1 %: 422', '0 %: 201', '19 %: 201', '20 %: 422', '100 %: 422', '101 %: 422', '10001 %: 422'],
      unbounded: ['-1 %: 422', '0 %: 201', '19 %: 201', '20 %: 201', '100 %: 201', '101 %: 201', '10001 %: 201'],
    },
  },

  'invoice.transactions': {
    async probe(choices) {
      const client = await openAccount(choices);
      return (await client.get('/invoices/6')).valueAt('data.transactions.0');
    },
    choiceValues: { fields: ['id', 'amount', 'status'] },
    expected: {
      all: {
        id: 7,
        amount: 200,
        currency: 'EUR',
        payment_method: 'bank_transfer',
        status: 'paid',
        reference: 'PAY-000007',
        created_at: '2026-02-21T09:00:00+00:00',
      },
      fields: { id: 7, amount: 200, status: 'paid' },
    },
  },

  'invoice.subscription': {
    async probe(choices) {
      const client = await openAccount(choices);
      const withSubscription = await client.get('/invoices/5');
      const withoutSubscription = await client.get('/invoices/6');
      return [withSubscription.valueAt('data.subscription'), withoutSubscription.valueAt('data.subscription')];
    },
    choiceValues: { fields: ['name', 'interval'] },
    expected: {
      all: [{ id: 1, name: 'Compiler maintenance', interval: 'month', status: 'active' }, null],
      fields: [{ name: 'Compiler maintenance', interval: 'month' }, null],
    },
  },

  'invoice.transitions': {
    // The API has no operations for most of these transitions, so the table itself is compared.
    probe: () =>
      invoiceLifecycle.map(({ from, cause, when, to }) => `${from.join(', ')}: ${when ?? ''} ${cause} → ${to}`),
    expected: {
      table: [
        'draft:  finalize → pending',
        'pending:  send → sent',
        'pending, sent:  view → viewed',
        'pending, sent, viewed, partial, overdue: in-full pay → paid',
        'pending, sent, viewed, partial: in-part pay → partial',
        'overdue: in-part pay → overdue',
        'pending, sent, viewed, partial:  fall-due → overdue',
        'draft, pending, sent, viewed, partial, overdue:  cancel → cancelled',
      ],
    },
  },

  'invoice.overdue-moment': {
    async probe(choices) {
      // In UTC it is still 30 June. The account is in Paris, where July has begun.
      const client = await openAccount(choices, { now: '2026-06-30T22:30:00Z' });
      const dueOn29June = invoice({ date: '2026-06-01', due_date: '2026-06-29' });
      const dueOn30June = invoice({ date: '2026-06-01', due_date: '2026-06-30' });
      await client.post('/invoices', dueOn29June);
      await client.post('/invoices', dueOn30June);
      const listed = await client.get('/invoices?per_page=2');
      const overdue = await client.get('/invoices/overdue');
      const statistics = await client.get('/invoices/stats');
      return {
        statuses: fieldValues(listed.valueAt('data.data'), 'status'),
        overdue: fieldValues(overdue.valueAt('data'), 'id'),
        days: fieldValues(overdue.valueAt('data'), 'days_overdue'),
        overdueCount: statistics.valueAt('data.overdue_invoices'),
      };
    },
    expected: {
      'utc-day': { statuses: ['pending', 'overdue'], overdue: [10, 8, 7], days: [1, 9, 14], overdueCount: 3 },
      'account-day': {
        statuses: ['overdue', 'overdue'],
        overdue: [11, 10, 8, 7],
        days: [1, 2, 10, 15],
        overdueCount: 4,
      },
      never: { statuses: ['pending', 'pending'], overdue: [10, 8, 7], days: [1, 9, 14], overdueCount: 3 },
    },
  },

  'invoice.outstanding': {
    async probe(choices) {
      const client = await openAccount(choices);
      return (await client.get('/invoices/stats')).valueAt('data.total_outstanding');
    },
    // Of invoice 6, 200 of 600 are paid.
    expected: { remaining: 3726.32, 'whole-amount': 3926.32 },
  },

  'invoice.pending-count': {
    async probe(choices) {
      const client = await openAccount(choices);
      const statistics = await client.get('/invoices/stats');
      return [statistics.valueAt('data.pending_invoices'), statistics.valueAt('data.overdue_invoices')];
    },
    expected: { 'without-overdue': [4, 2], 'with-overdue': [6, 2] },
  },

  'invoice.other-currencies': {
    async probe(choices) {
      const client = await openAccount({ ...choices, 'invoice.currency': 'customer' });
      const readTotals = async (): Promise<number[]> => {
        const stats = await client.get('/invoices/stats');
        const overdue = await client.get('/invoices/overdue');
        return [
          Number(stats.valueAt('data.total_outstanding')),
          Number(stats.valueAt('data.total_overdue')),
          Number(overdue.valueAt('total_outstanding')),
          Number(stats.valueAt('data.total_invoices')),
        ];
      };
      const totalsBefore = await readTotals();
      // The currency of the account is the euro, and the invoices of customer 3 are in dollars.
      const dates = { date: '2026-01-01', due_date: '2026-01-31' };
      await client.post('/invoices', invoice({ ...dates, customer_id: 3 }));
      await client.advance('2d');
      // How much each total has grown, rounded to cents.
      return (await readTotals()).map((total, index) => Math.round((total - (totalsBefore[index] ?? 0)) * 100) / 100);
    },
    expected: { 'left-out': [0, 0, 0, 1], added: [10, 10, 10, 1] },
  },

  'invoice.reminder-cancelled': {
    async probe(choices) {
      const client = await openAccount(choices);
      const responses = [
        await client.post('/invoices/1/reminder'),
        await client.post('/invoices/9/reminder'),
        // The specification defines this response, so the gap does not affect it.
        await client.post('/invoices/5/reminder'),
      ];
      return responses.map(({ status, error }) => [status, error]);
    },
    expected: {
      refused: [
        [400, 'Invoice is a draft'],
        [400, 'Invoice is cancelled'],
        [400, 'Invoice is already paid'],
      ],
      sent: [
        [200, undefined],
        [200, undefined],
        [400, 'Invoice is already paid'],
      ],
    },
  },

  'invoice.id-text': {
    async probe(choices) {
      const client = await openAccount(choices);
      const responses = [
        await client.get('/invoices/abc'),
        await client.get('/invoices/1.5'),
        await client.get('/invoices/001'),
        await client.post('/invoices/abc/reminder'),
        await client.get('/invoices/stats'),
      ];
      return responses.map(({ status, error }) => [status, error]);
    },
    expected: {
      '404': [
        [404, 'Invoice not found'],
        [404, 'Invoice not found'],
        [404, 'Invoice not found'],
        [404, 'Invoice not found'],
        [200, undefined],
      ],
      '400': [
        [400, 'The invoice id must be an integer.'],
        [400, 'The invoice id must be an integer.'],
        [400, 'The invoice id must be an integer.'],
        [400, 'The invoice id must be an integer.'],
        [200, undefined],
      ],
      '422': [
        [422, 'The invoice id must be an integer.'],
        [422, 'The invoice id must be an integer.'],
        [422, 'The invoice id must be an integer.'],
        [422, 'The invoice id must be an integer.'],
        [200, undefined],
      ],
    },
  },

  'overdue.total-outstanding': {
    async probe(choices) {
      const client = await openAccount(choices);
      return (await client.get('/invoices/overdue')).valueAt('total_outstanding');
    },
    expected: { listed: 912, 'all-unpaid': 3726.32 },
  },

  'overdue.link-null': {
    async probe(choices) {
      const client = await openAccount(choices);
      const overdue = await client.get('/invoices/overdue');
      const links = fieldValues(overdue.valueAt('data'), 'payment_link');
      return links.map((link) => (typeof link === 'string' ? link.replace(/^.*\//, '') : link));
    },
    // Invoice 8 has a pending payment; invoice 7 has none.
    expected: { 'open-or-pending': [null, 'inv_7'] },
  },
};
