import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

interface Service {
  readonly baseUrl: string;
  readonly token: string;
  readonly webhookSecret: string;
}

export interface Hotel {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the app under test. Its page asks the guest for a deposit, and shows the status that webhooks report. */
export async function startHotel(service: Service): Promise<Hotel> {
  let status = 'none';

  async function askForDeposit(): Promise<string> {
    const response = await fetch(`${service.baseUrl}/deposits`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ booking_reference: 'BK-1', amount: 300 }),
    });
    if (!response.ok) throw new Error(`the service responded with ${response.status}`);
    const { data } = JSON.parse(await response.text());
    return data.authorization_url;
  }

  async function receiveWebhook(request: IncomingMessage): Promise<number> {
    const body = await text(request);
    const expected = Buffer.from(`sha256=${createHmac('sha256', service.webhookSecret).update(body).digest('hex')}`);
    const signature = Buffer.from(String(request.headers['x-service-signature']));
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return 401;
    status = JSON.parse(body).data.status;
    return 200;
  }

  const server = createServer(async (request, response) => {
    switch (`${request.method} ${request.url}`) {
      case 'POST /book':
        return response.writeHead(303, { Location: await askForDeposit() }).end();
      case 'POST /webhooks':
        return response.writeHead(await receiveWebhook(request)).end();
      default:
        return response
          .setHeader('Content-Type', 'text/html; charset=utf-8')
          .end(
            `<h1>Hotel</h1><p>Deposit: ${status}</p><form method="post" action="/book"><button>Book</button></form>`,
          );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the hotel is not listening');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
