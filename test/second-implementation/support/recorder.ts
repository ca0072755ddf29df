import { vi } from 'vitest';
import type { FaultId } from '../faults/index.js';
import type { Json } from '../json.js';
import type { Options } from '../options.js';
import { type SecondImplementation, startSecondImplementation } from '../server.js';
import { type RequestOptions, sendRequest } from './client.js';
import { type Receiver, signaturesOf, startReceiver } from './receiver.js';

/** Replaces ports and the full token, which differ from run to run. */
const normalize = (text: string): string =>
  text.replace(/127\.0\.0\.1:\d+/g, 'host').replace(/full-[0-9a-f]+/g, 'token');

/**
 * Sends requests to a service, and records what a client sees, so that two recordings can be compared: the status, some
 * headers and the body of each response, and the webhooks.
 */
export class Recorder {
  readonly entries: string[] = [];
  readonly service: SecondImplementation;
  readonly #receivers: Receiver[] = [];

  constructor(service: SecondImplementation) {
    this.service = service;
  }

  async send(method: string, path: string, options?: RequestOptions): Promise<void> {
    const reply = await sendRequest(this.service, method, path, options);
    const headers = ['content-type', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
    const shownHeaders = headers.map((name) => `${name}: ${reply.headers.get(name)}`);
    this.entries.push(normalize([`${method} ${path}`, reply.status, ...shownHeaders, reply.text].join('\n')));
  }

  async get(...paths: string[]): Promise<void> {
    for (const path of paths) await this.send('GET', path);
  }

  async post(path: string, body?: Json, idempotencyKey?: string): Promise<void> {
    await this.send('POST', path, {
      ...(body === undefined ? {} : { body }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
  }

  /** Starts a receiver that gets all later webhooks, until another one is started. */
  async receiveWebhooks(secret: string): Promise<void> {
    const receiver = await startReceiver();
    this.#receivers.push(receiver);
    await this.service.configureWebhook({ url: receiver.url, secret });
  }

  /** Makes the latest receiver refuse the next webhook. */
  refuseNextWebhook(): void {
    const receiver = this.#receivers.at(-1);
    if (!receiver) throw new Error('no receiver has been started');
    receiver.failNext(1);
  }

  /** Records the webhooks of every receiver, in order, each with the index of the secret that it is signed with. */
  async recordWebhooks(...secrets: string[]): Promise<void> {
    await this.service.settled();
    for (const [index, { webhooks }] of this.#receivers.entries()) {
      for (const { headers, raw } of webhooks) {
        const signature = String(headers['x-service-signature']);
        const secretIndex = secrets.findIndex((secret) => signaturesOf(raw, secret).includes(signature));
        // A rotated secret is random, so signatures differ between runs. In their place, the index of the secret is
        // recorded or, if no secret matches, the length of the signature, which shows whether it has the right form.
        const signatureResult = secretIndex === -1 ? signature.length : `secret ${secretIndex}`;
        this.entries.push(normalize(`to ${index}: ${headers['x-service-event']} ${signatureResult} ${raw.toString()}`));
      }
    }
  }

  async close(): Promise<void> {
    await this.service.close();
    await Promise.all(this.#receivers.map((receiver) => receiver.close()));
  }
}

/** Requests that a recorder sends to a service with these options. */
export interface Sequence {
  readonly options?: Options;
  run(recorder: Recorder): Promise<void>;
}

/** Records what a client sees during a sequence of requests. The caller must have called `vi.useFakeTimers()`. */
export async function recordSequence({ options, run }: Sequence, fault?: FaultId): Promise<string[]> {
  vi.setSystemTime('2026-05-05T12:00:00Z');
  const recorder = new Recorder(await startSecondImplementation({ ...options, fault }));
  try {
    await run(recorder);
    return recorder.entries;
  } finally {
    await recorder.close();
  }
}
