import { createHmac, timingSafeEqual } from 'node:crypto';

/** A booking system that asks guests for deposits, and learns their status from signed webhooks. */
export class Booking {
  /** Status of the last deposit. */
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

  /** Processes a webhook, unless its signature is wrong. @returns the status of the response */
  receive(headers: Readonly<Record<string, string>>, body: string): number {
    const expected = Buffer.from(`sha256=${createHmac('sha256', this.#secret).update(body).digest('hex')}`);
    const received = Buffer.from(headers['X-Service-Signature'] ?? '');
    if (received.length !== expected.length || !timingSafeEqual(received, expected)) return 401;
    this.status = JSON.parse(body).data.status;
    return 200;
  }
}
