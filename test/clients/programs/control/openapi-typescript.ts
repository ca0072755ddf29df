// Run by ../../main.mjs, after openapi-typescript has generated the client in ./client from openapi/control.yaml.
import createClient from 'openapi-fetch';
import type { paths } from './client/control.js';

declare const process: { readonly argv: readonly string[] };
const [, , baseUrl] = process.argv;
const client = createClient<paths>({ baseUrl });

const empty = await client.POST('/accounts', { body: {} });
const account = empty.data?.id ?? '';
const advanced = await client.POST('/accounts/{account}/clock/advance', {
  params: { path: { account } },
  body: { by: '1d' },
});
const demo = await client.POST('/accounts', { body: { seed: 'demo' } });
const paid = await client.POST('/accounts/{account}/invoices/{invoice}/pay', {
  params: { path: { account: demo.data?.id ?? '', invoice: 2 } },
  body: {},
});
console.log(
  `${advanced.data?.in_progress.length} webhooks and emails in progress, invoice ${paid.data?.invoice['status']}`,
);
