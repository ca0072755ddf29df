// Run by ../../main.mjs, after orval (for axios) has generated the client in ./client from openapi/control.yaml.
import { advanceClock, createAccount, payInvoice } from './client/control.js';

const empty = await createAccount({});
const advanced = await advanceClock(empty.data.id, { by: '1d' });
const demo = await createAccount({ seed: 'demo' });
const paid = await payInvoice(demo.data.id, 2, {});
console.log(
  `${advanced.data.in_progress.length} webhooks and emails in progress, invoice ${paid.data.invoice['status']}`,
);
