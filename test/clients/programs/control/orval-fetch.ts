// Run by ../../main.mjs, after orval (for fetch) has generated the client in ./client from openapi/control.yaml.
import { advanceClock, createAccount, payInvoice } from './client/control.js';

const empty = await createAccount({});
if (empty.status !== 201) throw new Error(empty.data.error);
const advanced = await advanceClock(empty.data.id, { by: '1d' });
if (advanced.status !== 200) throw new Error(advanced.data.error);
const demo = await createAccount({ seed: 'demo' });
if (demo.status !== 201) throw new Error(demo.data.error);
const paid = await payInvoice(demo.data.id, 2, {});
if (paid.status !== 200) throw new Error(paid.data.error);
console.log(
  `${advanced.data.in_progress.length} webhooks and emails in progress, invoice ${paid.data.invoice['status']}`,
);
