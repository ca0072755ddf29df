// A placeholder for your app: it calls the service by the name of its container, and receives webhooks.
import { createServer } from 'node:http';

const { BILLING_URL, BILLING_TOKEN, PORT = '3000' } = process.env;

const response = await fetch(`${BILLING_URL}/deposits`, { headers: { Authorization: `Bearer ${BILLING_TOKEN}` } });
const { data } = await response.json();
console.log(`${response.status}: ${data.total} deposits`);

const server = createServer(async (request, reply) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (body !== '') console.log(`webhook ${request.headers['x-service-event']}: ${body}`);
  reply.writeHead(204).end();
});
server.listen(Number(PORT), () => console.log('waiting for webhooks'));
process.once('SIGTERM', () => server.close());
