import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { isObject, type JsonObject, parseJson } from '../json.js';

/** One request to the receiver, such as a retry, or the copy of a webhook that some variants of the service send. */
export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  /** The body as received. */
  readonly raw: Buffer;
  readonly payload: JsonObject;
}

export interface Receiver {
  readonly url: string;
  readonly webhooks: readonly ReceivedWebhook[];
  /** Makes the receiver respond to the next requests with 503. */
  failNext(requestCount: number): void;
  close(): Promise<void>;
}

/** Starts a webhook receiver on a free port of 127.0.0.1. */
export async function startReceiver(): Promise<Receiver> {
  const webhooks: ReceivedWebhook[] = [];
  let failuresLeft = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks);
    const payload = parseJson(raw.toString('utf8'));
    webhooks.push({ headers: request.headers, raw, payload: isObject(payload) ? payload : {} });
    response.statusCode = failuresLeft > 0 ? 503 : 204;
    failuresLeft = Math.max(0, failuresLeft - 1);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    webhooks,
    failNext: (requestCount) => {
      failuresLeft = requestCount;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns the valid signatures of a webhook body, one for each encoding that a variant may use. */
export function signaturesOf(raw: Buffer, secret: string): string[] {
  const digest = createHmac('sha256', secret).update(raw).digest();
  const hex = digest.toString('hex');
  return [hex, hex.toUpperCase(), digest.toString('base64')].map((text) => `sha256=${text}`);
}
