import { type GapCases, openAccount } from '../test-account.js';

/** Tests of gaps (questions that the specification leaves open) about responses of many operations. */
export const responses: GapCases = {
  'decimal.encoding': {
    async probe(choices) {
      const client = await openAccount(choices);
      const link = await client.post('/payment-links', { description: 'March', amount: 19.9 });
      const invoice = await client.get('/invoices/2');
      const overdue = await client.get('/invoices/overdue');
      const statistics = await client.get('/invoices/stats');
      const payments = await client.get('/payments?per_page=1');
      const deposit = await client.get('/deposits/3');
      return {
        link: link.valueAt('data.amount'),
        invoice: invoice.valueAt('data.amount'),
        quantity: invoice.valueAt('data.invoice_items.0.quantity'),
        taxRate: invoice.valueAt('data.invoice_items.0.tax_rate'),
        lineTotal: invoice.valueAt('data.invoice_items.0.total'),
        overdue: overdue.valueAt('total_outstanding'),
        statistics: statistics.valueAt('data.total_overdue'),
        payment: payments.valueAt('data.data.0.amount'),
        captured: deposit.valueAt('data.captured_amount'),
        remaining: deposit.valueAt('data.remaining_amount'),
      };
    },
    expected: {
      number: {
        link: 19.9,
        invoice: 212.82,
        quantity: 3,
        taxRate: 19.6,
        lineTotal: 119.59,
        overdue: 912,
        statistics: 912,
        payment: 60,
        captured: 120.5,
        remaining: 379.5,
      },
      string: {
        link: '19.90',
        invoice: '212.82',
        quantity: '3.00',
        taxRate: '19.60',
        lineTotal: '119.59',
        overdue: '912.00',
        statistics: '912.00',
        payment: '60.00',
        captured: '120.50',
        remaining: '379.50',
      },
    },
  },

  'null.optional': {
    async probe(choices) {
      const client = await openAccount(choices);
      // Page 3 has invoice 3, which has no reference. Invoice 6 has no notes, and its customer has no company or city.
      const listed = await client.get('/invoices?per_page=1&page=3');
      const read = await client.get('/invoices/6');
      const deposit = await client.post('/deposits', {
        booking_reference: 'BK-1',
        amount: 1,
        customer: { name: 'Ada' },
      });
      return {
        reference: listed.valueAt('data.data.0.reference'),
        notes: read.valueAt('data.notes'),
        company: read.valueAt('data.customer.company'),
        city: read.valueAt('data.customer.city'),
        email: deposit.valueAt('data.customer.email'),
      };
    },
    expected: {
      null: { reference: null, notes: null, company: null, city: null, email: null },
      absent: { reference: undefined, notes: undefined, company: undefined, city: undefined, email: undefined },
      empty: { reference: '', notes: '', company: '', city: '', email: '' },
    },
  },

  'status.created': {
    async probe(choices) {
      const client = await openAccount(choices);
      const link = await client.post('/payment-links', { description: 'March', amount: 1 });
      const deposit = await client.post('/deposits', { booking_reference: 'BK-1', amount: 1 });
      return [link.status, deposit.status];
    },
    expected: { '201': [201, 201], '200': [200, 200] },
  },

  'status.acted': {
    async probe(choices) {
      const client = await openAccount(choices);
      const reminder = await client.post('/invoices/2/reminder');
      const capture = await client.post('/deposits/2/capture', {});
      const release = await client.post('/deposits/3/release');
      return [reminder.status, capture.status, release.status];
    },
    expected: { '200': [200, 200, 200], '201': [201, 201, 201], '202': [202, 202, 202] },
  },
};
