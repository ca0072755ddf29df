// Run by ../../main.mjs, after orval (for fetch) has generated the client in ./client from openapi/billing.yaml.
import { createDeposit, createInvoice, getDeposit, listDeposits } from './client/billing.js';

const options = { headers: { Authorization: 'Bearer demo_full' } };

const created = await createDeposit({ booking_reference: 'BK-1', amount: 300 }, options);
if (created.status !== 201) throw new Error(created.data.error);
const listed = await listDeposits(undefined, options);
if (listed.status !== 200) throw new Error(listed.data.error);
const read = await getDeposit(created.data.data.id, options);
if (read.status !== 200) throw new Error(read.data.error);
const items = [{ description: 'a', quantity: 1, unit_price: 5 }];
const invoice = await createInvoice({ customer_id: 1, date: '2026-03-01', due_date: '2026-03-31', items }, options);
if (invoice.status !== 201) throw new Error(invoice.data.error);
if (invoice.data.data.invoice_items[0]?.tax_rate !== 0) throw new Error('the default tax rate is not 0');
const { status, currency } = created.data.data;
console.log(`${status} ${currency} ${listed.data.data.data.length} listed, read ${read.data.data.id}`);
