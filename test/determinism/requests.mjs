// Sends a fixed series of requests to a new simulator, and prints every response and webhook body byte for byte.
// determinism.test.ts runs it in separate processes. Usage: node requests.mjs RANDOM-SEED
import { createServer } from 'node:http';
import { startSimulator } from '../../dist/index.js';

/** Event, signature and body of each webhook, in the order of arrival. */
const webhooks = [];
const receiver = createServer(async (webhook, response) => {
  const chunks = [];
  for await (const chunk of webhook) chunks.push(chunk);
  // Other programs on this machine may try the port.
  if (webhook.headers['x-service-event'] === undefined) return void response.end();
  webhooks.push(
    `${webhook.headers['x-service-event']} ${webhook.headers['x-service-signature']} ${Buffer.concat(chunks)}`,
  );
  // The first webhook gets a 500, so that there is a retry.
  response.writeHead(webhooks.length === 1 ? 500 : 200).end();
});
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));

const simulator = await startSimulator({
  now: '2026-03-01T09:00:00Z',
  randomSeed: process.argv[2],
  publicUrl: 'https://billing.example',
  webhookUrl: `http://127.0.0.1:${receiver.address().port}/`,
  profile: { 'deposit.id': 'uuid' },
});
const { account, baseUrl } = simulator;
const responses = [];
// A key can be used for several deposits here: the clock advances by days, and keys are remembered for 24 hours.
const request = async (method, path, body) => {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { Authorization: 'Bearer demo_full', 'Content-Type': 'application/json', 'Idempotency-Key': path },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  responses.push(`${method} ${path} ${response.status} ${response.headers.get('x-ratelimit-remaining')} ${text}`);
  return JSON.parse(text).data;
};

const deposit = await request('POST', '/deposits', { booking_reference: 'BK-1', amount: 300 });
await account.deposits.authorize(deposit.id);
await request('POST', `/deposits/${deposit.id}/capture`, { amount: 12.5 });
const link = await request('POST', '/payment-links', { description: 'Été à la mer', amount: 49.9 });
await account.paymentLinks.pay(link.id);
await account.clock.advance('8d');
await request('POST', '/deposits', { booking_reference: 'BK-2', amount: 300, metadata: { scenario: 'no-show' } });
await account.clock.advance('3d');
await account.faults.add({ effect: 'duplicate=3,reorder,tamper-body,wrong-secret' });
await account.faults.add({ effect: 'stale', match: { probability: 0.5 } });
const lastDeposit = await request('POST', '/deposits', { booking_reference: 'BK-3', amount: 80 });
await account.deposits.authorize(lastDeposit.id);
await account.clock.advance('8d');
await request('GET', '/deposits');
await request('GET', '/payments');
await request('GET', '/invoices/stats');
const otherAccount = await simulator.createAccount();
responses.push(JSON.stringify(otherAccount.tokens), otherAccount.webhookSecret);
await simulator.close();
receiver.closeAllConnections();
receiver.close();
process.stdout.write([...responses, ...webhooks].join('\n'));
