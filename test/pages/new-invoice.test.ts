import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { createAccountWithDashboard } from './dashboard-forms.js';

/** The form of a new invoice, over HTTP. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** The hidden field that says which form of the page was sent. */
const formKey = { 'form-key': 'createInvoice' };
const night = { 'items.0.description': 'Night', 'items.0.quantity:number': '1', 'items.0.unit_price:number': '5' };
const dates = { date: '2026-03-01', due_date: '2026-03-31' };
const ada = { 'customer.name': 'Ada', 'customer.email': 'ada@inn.example' };

test.each([
  ['no customer', { ...night, ...dates }, 'Choose a customer, or enter the name and email of a new one.'],
  [
    'a new customer without a name',
    { ...night, ...dates, 'customer.email': 'ada@inn.example' },
    'New customer: The Name field is required.',
  ],
  [
    'a price that is too precise',
    { ...night, ...dates, ...ada, 'items.0.unit_price:number': '1.123' },
    'Item 1: The Unit price field must have 0-2 decimal places.',
  ],
  ['two customers', { ...night, ...dates, ...ada, 'customer_id:number': '1' }, 'not both'],
  ['an unknown customer', { ...night, ...dates, 'customer_id:number': '99' }, 'The selected Customer is invalid.'],
  ['only blank items', { ...dates, ...ada, 'items.0.description': ' ' }, 'The Items field is required.'],
  [
    'a due date before the date',
    { ...night, ...ada, ...dates, due_date: '2026-02-01' },
    'The Due date field must be a date after or equal to Date.',
  ],
  [
    'an invoice number that is taken',
    { ...night, ...ada, ...dates, invoice_number: 'DEMO-0001' },
    'The Number has already been taken.',
  ],
  ['an item without an index', { ...night, ...ada, ...dates, 'items.x': '1' }, 'The Items field must be an array'],
])('an invoice with %s is refused, and no customer is created', async (_, fields, message) => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const listsBefore = [await dashboard.readText('customers'), await dashboard.readText('invoices')];
  const { path, notice, isRefused } = await dashboard.postFields('invoices/new', 'createInvoice', {
    ...formKey,
    ...fields,
  });
  expect(path).toMatch(/invoices\/new#problems$/);
  expect(isRefused).toBe(true);
  expect(notice).toContain(message);
  expect([await dashboard.readText('customers'), await dashboard.readText('invoices')]).toEqual(listsBefore);
});

test('a row that is added to the form is shown without a message', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const { html } = await dashboard.postFields('invoices/new', 'createInvoice', {
    ...formKey,
    ...night,
    'form-step': 'add items.description',
  });
  expect(html).toContain('name="items.1.description"');
  expect(html).not.toContain('class="toast"');
});

test('the rows of a form that is shown again are numbered from 0, whatever numbers were sent', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const { html } = await dashboard.postFields('invoices/new', 'createInvoice', {
    ...formKey,
    'items.3000000.description': '',
    'items.99999999999999999999.quantity:number': '2',
    'form-step': 'update',
  });
  expect(html.match(/name="items\.\d+\.description" value="[^"]*"/g)).toEqual([
    'name="items.0.description" value=""',
    'name="items.1.description" value=""',
  ]);
  expect(html).toContain('name="items.1.quantity:number" value="2"');
});

/** The fields of a form with this many item rows, all with the same description. */
const itemRows = (count: number, description: string): [string, string][] =>
  Array.from({ length: count }, (_, index) => [`items.${index}.description`, description]);
const tooManyRows = 'A form can have at most 200 items. To send more, use the API.';

test.each([
  ['a 201st row is added', [...itemRows(200, 'Night'), ['form-step', 'add items.description']]],
  ['it has 201 blank rows', [...itemRows(201, ''), ['form-step', 'update']]],
])('the form is shown again with an error if %s', async (_, fields) => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const result = await dashboard.postFields('invoices/new', 'createInvoice', {
    ...formKey,
    ...Object.fromEntries(fields),
  });
  expect(result).toMatchObject({ isRefused: true, notice: expect.stringContaining(tooManyRows) });
});

test('an invoice with more than 200 items is refused', async () => {
  const { status, text } = await sendHttpRequest(sim.url, {
    method: 'POST',
    path: '/dashboard/demo/do/createInvoice',
    body: new URLSearchParams(itemRows(201, 'Night')).toString(),
    headers: ['Content-Type', 'application/x-www-form-urlencoded', 'Origin', sim.url],
  });
  expect({ status, text }).toEqual({ status: 422, text: expect.stringContaining(tooManyRows) });
});

test.each(['dots', 'brackets'])(
  'errors of item rows are shown at their fields (validation.nested-keys: %s)',
  async (keyFormat) => {
    const { dashboard } = await createAccountWithDashboard(sim, { 'validation.nested-keys': keyFormat });
    const { html } = await dashboard.postFields('invoices/new', 'createInvoice', {
      ...formKey,
      ...dates,
      ...ada,
      ...night,
      'items.1.description': 'Breakfast',
    });
    expect(html).toMatch(/name="items\.1\.quantity:number"[^>]*aria-invalid="true"/);
    expect(html).not.toMatch(/name="items\.0\.quantity:number"[^>]*aria-invalid="true"/);
  },
);
