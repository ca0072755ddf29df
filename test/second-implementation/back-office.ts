import { createServer } from 'node:http';
import { isObject, type JsonObject, parseJson } from './json.js';
import type { SecondImplementation } from './server.js';

/** Server for actions that the API has no operation for, such as paying an invoice: each is a `POST /{action}`. */
export interface BackOffice {
  readonly url: string;
  close(): Promise<void>;
}

type Action = (record: JsonObject) => Promise<unknown>;

/**
 * Opens the back office of a service on a free port of 127.0.0.1. The body of a request is the record to act on or, for
 * `/send-webhooks`, the URL and the secret; other actions ignore it.
 */
export async function openBackOffice(service: SecondImplementation): Promise<BackOffice> {
  const actions: Readonly<Record<string, Action>> = {
    '/create-customer': () => service.createCustomer(),
    '/pay-invoice': service.markInvoicePaid,
    '/pay-link': service.payLink,
    '/authorize-deposit': service.authorizeDeposit,
    '/decline-deposit': service.declineDeposit,
    '/expire-deposit': service.expireDeposit,
    '/rotate-webhook-secret': () => service.rotateWebhookSecret(),
    '/send-webhooks': ({ url, secret }) => service.configureWebhook({ url: String(url), secret: String(secret) }),
  };
  const server = createServer(async (request, response) => {
    try {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      const action = actions[request.url ?? ''];
      if (!action) throw new Error(`the back office has no ${request.url}`);
      const record = parseJson(body);
      if (!isObject(record)) throw new Error('the body must be a JSON object');
      const result = await action(record);
      response.writeHead(200).end(JSON.stringify(result ?? {}));
    } catch (error) {
      response.writeHead(400).end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
