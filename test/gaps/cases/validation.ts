import { fieldNames, type GapCases, openAccount } from '../test-account.js';

const invoice = { customer_id: 1, date: '2026-03-01', due_date: '2026-03-31' };
const item = { description: 'Consulting', quantity: 1, unit_price: 10 };
/** Deposit 2 of the seed `demo` is authorized (450 EUR), so it can be captured. */
const capturePath = '/deposits/2/capture';

/** Tests of gaps (questions that the specification leaves open) about the validation of fields. */
export const validation: GapCases = {
  'validation.status': {
    async probe(choices) {
      const client = await openAccount(choices);
      const responses = [await client.post('/payment-links', {}), await client.get('/payments?status=lost')];
      return responses.flatMap((response) => [response.status, response.error, response.valueAt('errors')]);
    },
    expected: {
      '422': [
        422,
        'The description field is required. (and 1 more error)',
        { description: ['The description field is required.'], amount: ['The amount field is required.'] },
        422,
        'The selected status is invalid.',
        { status: ['The selected status is invalid.'] },
      ],
      '400': [
        400,
        'The description field is required. (and 1 more error)',
        { description: ['The description field is required.'], amount: ['The amount field is required.'] },
        400,
        'The selected status is invalid.',
        { status: ['The selected status is invalid.'] },
      ],
      '422-without-errors': [
        422,
        'The description field is required. (and 1 more error)',
        undefined,
        422,
        'The selected status is invalid.',
        undefined,
      ],
      '400-without-errors': [
        400,
        'The description field is required. (and 1 more error)',
        undefined,
        400,
        'The selected status is invalid.',
        undefined,
      ],
    },
  },

  'validation.messages': {
    async probe(choices) {
      const client = await openAccount(choices);
      const response = await client.post('/invoices', {
        customer_id: 'one',
        due_date: 'soon',
        items: [{ description: '', quantity: 0.001, unit_price: -1, tax_rate: 100.5 }],
      });
      return response.valueAt('errors');
    },
    expected: {
      laravel: {
        date: ['The date field is required.'],
        customer_id: ['The customer id field must be an integer.'],
        due_date: ['The due date field must match the format Y-m-d.'],
        'items.0.description': ['The items.0.description field is required.'],
        'items.0.quantity': [
          'The items.0.quantity field must be at least 0.01.',
          'The items.0.quantity field must have 0-2 decimal places.',
        ],
        'items.0.unit_price': ['The items.0.unit_price field must be at least 0.'],
        'items.0.tax_rate': ['The items.0.tax_rate field must not be greater than 100.'],
      },
      'json-schema': {
        date: ["must have required property 'date'"],
        customer_id: ['must be integer'],
        due_date: ['must match format "date"'],
        'items.0.description': ['must NOT have fewer than 1 characters'],
        'items.0.quantity': ['must be >= 0.01', 'must NOT have more than 2 decimal places'],
        'items.0.unit_price': ['must be >= 0'],
        'items.0.tax_rate': ['must be <= 100'],
      },
    },
  },

  'validation.nested-keys': {
    async probe(choices) {
      const client = await openAccount(choices);
      const items = [item, { description: 'Travel', unit_price: 10 }];
      const errorInList = await client.post('/invoices', { ...invoice, items });
      const errorInObject = await client.post('/deposits', {
        booking_reference: 'BK-1',
        amount: 1,
        customer: { email: 'nowhere' },
      });
      return [...fieldNames(errorInList.valueAt('errors')), ...fieldNames(errorInObject.valueAt('errors'))];
    },
    expected: {
      dots: ['items.1.quantity', 'customer.email'],
      brackets: ['items[1].quantity', 'customer.email'],
    },
  },

  'validation.null-optional': {
    async probe(choices) {
      const client = await openAccount(choices);
      const nulls = { invoice_number: null, reference: null, notes: null };
      const createdInvoice = await client.post('/invoices', {
        ...invoice,
        ...nulls,
        items: [{ ...item, tax_rate: null }],
      });
      const link = await client.post('/payment-links', { description: 'March', amount: 1, currency: null });
      const deposit = await client.post('/deposits', {
        booking_reference: 'BK-1',
        amount: 1,
        currency: null,
        customer: null,
        check_in_date: null,
        check_out_date: null,
        metadata: null,
      });
      const depositWithNullsInCustomer = await client.post('/deposits', {
        booking_reference: 'BK-2',
        amount: 1,
        customer: { name: null, email: null },
      });
      const capture = await client.post(capturePath, { amount: null, description: null });
      return [
        [
          createdInvoice.valueAt('data.invoice_number'),
          createdInvoice.valueAt('data.reference'),
          createdInvoice.valueAt('data.invoice_items.0.tax_rate'),
        ],
        [link.valueAt('data.currency'), deposit.valueAt('data.currency'), deposit.valueAt('data.metadata')],
        [depositWithNullsInCustomer.valueAt('data.customer'), capture.valueAt('data.status')],
        [createdInvoice, link, deposit, depositWithNullsInCustomer, capture].map(({ valueAt }) =>
          Object.keys(Object(valueAt('errors'))),
        ),
      ];
    },
    expected: {
      omitted: [
        ['INV-2026-00001', null, 0],
        ['EUR', 'EUR', {}],
        [{ name: null, email: null }, 'captured'],
        [[], [], [], [], []],
      ],
      refused: [
        [undefined, undefined, undefined],
        [undefined, undefined, undefined],
        [undefined, undefined],
        [
          ['invoice_number', 'reference', 'notes', 'items.0.tax_rate'],
          ['currency'],
          ['currency', 'customer', 'check_in_date', 'check_out_date', 'metadata'],
          ['customer.name', 'customer.email'],
          ['amount', 'description'],
        ],
      ],
    },
  },

  'validation.unknown-fields': {
    async probe(choices) {
      const client = await openAccount(choices);
      const color = 'red';
      const deposit = { booking_reference: 'BK-1', amount: 1 };
      const responses = [
        await client.post('/invoices', { ...invoice, items: [item], color }),
        await client.post('/invoices', { ...invoice, items: [{ ...item, color }] }),
        await client.post('/payment-links', { description: 'March', amount: 1, color }),
        await client.post('/deposits', { ...deposit, color }),
        await client.post('/deposits', { ...deposit, customer: { name: 'Ada', color } }),
        await client.post(capturePath, { amount: 1, color }),
      ];
      return responses.map((response) => [response.status, response.valueAt('errors')]);
    },
    expected: {
      ignored: [
        [201, undefined],
        [201, undefined],
        [201, undefined],
        [201, undefined],
        [201, undefined],
        [200, undefined],
      ],
      refused: [
        [422, { color: ['The color field is prohibited.'] }],
        [422, { 'items.0.color': ['The items.0.color field is prohibited.'] }],
        [422, { color: ['The color field is prohibited.'] }],
        [422, { color: ['The color field is prohibited.'] }],
        [422, { 'customer.color': ['The customer.color field is prohibited.'] }],
        [422, { color: ['The color field is prohibited.'] }],
      ],
    },
  },
};
