import { vi } from 'vitest';
import type { FaultId } from '../faults/index.js';
import type { Json } from '../json.js';
import type { Options } from '../options.js';
import { type Second, startSecond } from '../second.js';
import { ask, type Question } from './ask.js';
import { type Receiver, signaturesOf, startReceiver } from './receiver.js';

const settled = (text: string): string => text.replace(/127\.0\.0\.1:\d+/g, 'host').replace(/full-[0-9a-f]+/g, 'token');

/** Asks a service of its own, and writes down all that a client sees of it. */
export class Tape {
  readonly entries: string[] = [];
  readonly second: Second;
  readonly #receivers: Receiver[] = [];

  constructor(second: Second) {
    this.second = second;
  }

  async ask(method: string, path: string, question?: Question): Promise<void> {
    const reply = await ask(this.second, method, path, question);
    const headers = ['content-type', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
    const seen = headers.map((name) => `${name}: ${reply.headers.get(name)}`);
    this.entries.push(settled([`${method} ${path}`, reply.status, ...seen, reply.text].join('\n')));
  }

  async get(...paths: string[]): Promise<void> {
    for (const path of paths) await this.ask('GET', path);
  }

  async post(path: string, body?: Json, idempotencyKey?: string): Promise<void> {
    await this.ask('POST', path, {
      ...(body === undefined ? {} : { body }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
  }

  async listen(secret: string): Promise<void> {
    const receiver = await startReceiver();
    this.#receivers.push(receiver);
    await this.second.configureWebhook({ url: receiver.url, secret });
  }

  /** Writes down what every receiver got, in order, with what is signed by one of the secrets, and by which. */
  async hear(...secrets: string[]): Promise<void> {
    await this.second.settled();
    for (const [index, { deliveries }] of this.#receivers.entries()) {
      for (const { headers, raw } of deliveries) {
        const signature = String(headers['x-service-signature']);
        const known = secrets.findIndex((secret) => signaturesOf(raw, secret).includes(signature));
        const verdict = known === -1 ? signature.length : `good ${known}`;
        this.entries.push(settled(`to ${index}: ${headers['x-service-event']} ${verdict} ${raw.toString()}`));
      }
    }
  }

  async close(): Promise<void> {
    await this.second.close();
    await Promise.all(this.#receivers.map((receiver) => receiver.close()));
  }
}

export interface Sequence {
  readonly options?: Options;
  play(tape: Tape): Promise<void>;
}

/** Records everything that a client sees during a sequence; needs a fake clock. */
export async function record({ options, play }: Sequence, fault?: FaultId): Promise<string[]> {
  vi.setSystemTime('2026-05-05T12:00:00Z');
  const tape = new Tape(await startSecond({ ...options, fault }));
  try {
    await play(tape);
    return tape.entries;
  } finally {
    await tape.close();
  }
}
