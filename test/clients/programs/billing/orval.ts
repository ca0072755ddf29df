// Run by ../../main.mjs, after orval (for axios) has generated the client in ./client from openapi/billing.yaml.
import { createDeposit, createInvoice, getDeposit, listDeposits } from './client/billing.js';

const options = { headers: { Authorization: 'Bearer demo_full' } };

const created = await createDeposit({ booking_reference: 'BK-1', amount: 300 }, options);
const listed = await listDeposits(undefined, options);
const read = await getDeposit(created.data.data.id, options);
const items = [{ description: 'a', quantity: 1, unit_price: 5 }];
const invoice = await createInvoice({ customer_id: 1, date: '2026-03-01', due_date: '2026-03-31', items }, options);
if (invoice.data.data.invoice_items[0]?.tax_rate !== 0) throw new Error('the default tax rate is not 0');
const { status, currency } = created.data.data;
console.log(`${status} ${currency} ${listed.data.data.data.length} listed, read ${read.data.data.id}`);
