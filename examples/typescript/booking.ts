import { createHmac, timingSafeEqual } from 'node:crypto';

/** A booking that asks the guest for a deposit, and learns its status from signed webhooks. */
export class Booking {
  /** Status of the deposit. */
  status = 'none';
  readonly #baseUrl: string;
  readonly #token: string;
  readonly #secret: string;

  constructor(service: { baseUrl: string; token: string; webhookSecret: string }) {
    this.#baseUrl = service.baseUrl;
    this.#token = service.token;
    this.#secret = service.webhookSecret;
  }

  /** Creates a deposit. @returns its id, and the URL where the guest authorizes it */
  async askForDeposit(reference: string, amount: number): Promise<{ id: number; authorization_url: string }> {
    const response = await fetch(`${this.#baseUrl}/deposits`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${this.#token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': reference,
      },
      body: JSON.stringify({ booking_reference: reference, amount, currency: 'EUR' }),
    });
    if (!response.ok) throw new Error(`the service responded with ${response.status}`);
    const { data } = JSON.parse(await response.text());
    this.status = data.status;
    return data;
  }

  /** Processes a webhook, unless its `X-Service-Signature` is wrong. @returns the HTTP status to respond with */
  receive(body: string, signature = ''): number {
    const expected = Buffer.from(`sha256=${createHmac('sha256', this.#secret).update(body).digest('hex')}`);
    const received = Buffer.from(signature);
    if (received.length !== expected.length || !timingSafeEqual(received, expected)) return 401;
    this.status = JSON.parse(body).data.status;
    return 200;
  }
}
