// Run by ../../main.mjs, after Hey API has generated the client in ./client from openapi/control.yaml.
import { advanceClock, createAccount, payInvoice } from './client/index.js';

const empty = await createAccount({ body: {}, throwOnError: true });
const path = { account: empty.data.id };
const advanced = await advanceClock({ path, body: { by: '1d' }, throwOnError: true });
const demo = await createAccount({ body: { seed: 'demo' }, throwOnError: true });
const paid = await payInvoice({ path: { account: demo.data.id, invoice: 2 }, body: {}, throwOnError: true });
console.log(
  `${advanced.data.in_progress.length} webhooks and emails in progress, invoice ${paid.data.invoice['status']}`,
);
