// Run by ../../main.mjs, after openapi-typescript has generated the client in ./client from openapi/billing.yaml.
import createClient from 'openapi-fetch';
import type { paths } from './client/billing.js';

declare const process: { readonly argv: readonly string[] };
const [, , baseUrl] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: 'Bearer demo_full' } });

const created = await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 300 } });
const listed = await client.GET('/deposits');
const id = created.data?.data.id ?? 0;
const read = await client.GET('/deposits/{id}', { params: { path: { id } } });
const invoice = await client.POST('/invoices', {
  body: {
    customer_id: 1,
    date: '2026-03-01',
    due_date: '2026-03-31',
    items: [{ description: 'a', quantity: 1, unit_price: 5 }],
  },
});
if (invoice.data?.data.invoice_items[0]?.tax_rate !== 0) throw new Error('the default tax rate is not 0');
const { status, currency } = created.data?.data ?? {};
console.log(`${status} ${currency} ${listed.data?.data.data.length} listed, read ${read.data?.data.id}`);
