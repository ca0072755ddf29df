// Run by ../../main.mjs, after Hey API has generated the client in ./client from openapi/billing.yaml.
import { client } from './client/client.gen.js';
import { createDeposit, createInvoice, getDeposit, listDeposits } from './client/index.js';

client.setConfig({ auth: () => 'demo_full' });

const created = await createDeposit({ body: { booking_reference: 'BK-1', amount: 300 }, throwOnError: true });
const listed = await listDeposits({ throwOnError: true });
const read = await getDeposit({ path: { id: created.data.data.id }, throwOnError: true });
const items = [{ description: 'a', quantity: 1, unit_price: 5 }];
const invoice = await createInvoice({
  body: { customer_id: 1, date: '2026-03-01', due_date: '2026-03-31', items },
  throwOnError: true,
});
if (invoice.data.data.invoice_items[0]?.tax_rate !== 0) throw new Error('the default tax rate is not 0');
const { status, currency } = created.data.data;
console.log(`${status} ${currency} ${listed.data.data.data.length} listed, read ${read.data.data.id}`);
