import { type BinaryToTextEncoding, createHmac, randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { toBigIds } from './big-ids.js';
import { toAscii } from './faults/fault.js';
import { type JsonObject, parseJson } from './json.js';
import { formatTime, undocumentedFields } from './render.js';
import type { EventName, World } from './world.js';

export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

const responseTimeoutMs = 5000;

/** Signs, sends and retries webhooks. */
export class WebhookSender {
  readonly #world: World;
  readonly #stop = new AbortController();
  readonly #pending = new Set<Promise<void>>();
  /** All targets so far; webhooks go to the last one. Only faults use the others. */
  readonly #targets: WebhookTarget[] = [];
  /**
   * The latest delivery, if the service has no `webhookDelaysMs`. The next delivery starts after it, so that they
   * arrive in order.
   */
  #lastInOrder: Promise<void> = Promise.resolve();
  #eventCount = 0;
  #deliveryCount = 0;

  constructor(world: World) {
    this.#world = world;
    // Each waiting delivery adds a listener, and Node would warn if there were more than ten.
    setMaxListeners(0, this.#stop.signal);
  }

  /** Sends all later webhooks to this target. */
  configure(target: WebhookTarget): void {
    this.#targets.push(target);
  }

  /** Replaces the secret of the current target, and returns the new one. */
  rotateSecret(): string {
    const target = this.#targets.at(-1);
    if (target === undefined) throw new Error('no webhook URL is configured yet');
    const secret = randomBytes(16).toString('hex');
    if (this.#world.fault !== 'signature-key-before-rotation') this.configure({ ...target, secret });
    return secret;
  }

  send(event: EventName, record: JsonObject): void {
    const { choices, fault, faultDefinition } = this.#world;
    this.#eventCount += 1;
    const target = this.#targets.at(-1);
    if (target === undefined || faultDefinition?.neverSends === event) return;
    const payload = this.#payload(event, record);
    this.#dispatch(target, event, payload);
    for (let copy = 1; copy < choices.webhookCopies; copy += 1) this.#dispatch(target, event, payload);
    if (fault === 'webhook-to-old-url')
      for (const oldTarget of this.#targets.slice(0, -1)) this.#dispatch(oldTarget, event, payload);
  }

  /** Resolves once no webhook is left to send or retry. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.settled();
  }

  #payload(event: EventName, record: JsonObject): JsonObject {
    const { choices, fault } = this.#world;
    const data = structuredClone(record);
    if (fault === 'payload-status-before' && event === 'deposit.authorized') data['status'] = 'pending';
    if (fault === 'payload-other-deposit-id' && event === 'deposit.released') data['id'] = Number(data['id']) + 1;
    if (fault === 'payload-other-deposit-id-at-creation' && event === 'deposit.created')
      data['id'] = Number(data['id']) + 1;
    if (event === 'payment.succeeded') {
      if (fault === 'payload-link-id-string') data['payment_link_id'] = String(data['payment_link_id']);
      if (fault === 'payload-without-description') delete data['description'];
      if (fault === 'payload-without-link-id') delete data['payment_link_id'];
      if (fault === 'payload-description-lower-case') data['description'] = String(data['description']).toLowerCase();
      if (fault === 'payload-description-ascii') data['description'] = toAscii(String(data['description']));
      if (fault === 'payload-other-link-id') data['payment_link_id'] = Number(data['payment_link_id']) + 1;
    }
    const created_at = formatTime(choices, Date.now());
    if (choices.payload === 'flat') return { event, event_id: this.#eventCount, created_at, ...data };
    return {
      id: `evt_${this.#eventCount}`,
      event,
      created_at,
      data,
      ...undocumentedFields(choices, { api_version: 'v1' }),
    };
  }

  /** Starts a delivery, with retries, in the background. */
  #dispatch(target: WebhookTarget, event: EventName, payload: JsonObject): void {
    const { choices } = this.#world;
    const delay = choices.webhookDelaysMs[this.#deliveryCount % choices.webhookDelaysMs.length];
    this.#deliveryCount += 1;
    const start = delay === undefined ? this.#lastInOrder : this.#sleep(delay);
    const delivery = start
      .then(() => this.#deliver(target, event, payload))
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) throw error;
      });
    if (delay === undefined) this.#lastInOrder = delivery;
    this.#pending.add(delivery);
    void delivery.finally(() => this.#pending.delete(delivery));
  }

  async #deliver(target: WebhookTarget, event: EventName, payload: JsonObject): Promise<void> {
    // With this fault, the body is indented, and `#signature` signs the JSON without indentation.
    const indentation = this.#world.fault === 'signature-reserialized' ? 1 : undefined;
    const body = toBigIds(this.#world.choices, JSON.stringify(payload, null, indentation));
    const headers = this.#headers(target, event, body);
    let [sentHeaders, sentBody] = [headers, body];
    for (const delayMs of [...this.#world.choices.retriesMs, undefined]) {
      if (await this.#attempt(target.url, sentHeaders, sentBody)) return;
      if (delayMs !== undefined) await this.#sleep(delayMs);
      const { 'X-Service-Event': _event, ...withoutEvent } = headers;
      if (this.#world.fault === 'retry-without-event-header') sentHeaders = withoutEvent;
      const { 'X-Service-Signature': _signature, ...withoutSignature } = headers;
      if (this.#world.fault === 'retry-without-signature') sentHeaders = withoutSignature;
      if (this.#world.fault === 'retry-changed-body') sentBody = `${body} `;
    }
  }

  #headers(target: WebhookTarget, event: EventName, body: string): Record<string, string> {
    const { choices, fault } = this.#world;
    const signatureHeader = event === 'payment.succeeded' ? choices.paymentSignatureHeader : 'X-Service-Signature';
    const sentEvent = fault === 'event-header-wrong' && event === 'deposit.authorized' ? 'deposit.succeeded' : event;
    return {
      'Content-Type': 'application/json',
      ...(fault === 'event-header-missing' ? {} : { 'X-Service-Event': sentEvent }),
      ...(fault === 'signature-missing' ? {} : { [signatureHeader]: this.#signature(target, event, body) }),
    };
  }

  #signature({ secret }: WebhookTarget, event: EventName, body: string): string {
    const { choices, fault } = this.#world;
    const usesFirstSecret =
      fault === 'signature-key-first-configured' ||
      (fault === 'signature-key-of-payments-first-configured' && event === 'payment.succeeded');
    const configured = usesFirstSecret ? (this.#targets[0]?.secret ?? secret) : secret;
    const key = fault === 'signature-key-without-first-character' ? secret.slice(1) : configured;
    const usesLatin1 = fault === (event === 'payment.succeeded' ? 'signature-latin1' : 'signature-latin1-deposits');
    const algorithm = fault === 'signature-sha1' ? 'sha1' : 'sha256';
    const signed = fault === 'signature-reserialized' ? JSON.stringify(parseJson(body)) : body;
    const encoding: BinaryToTextEncoding = choices.digest === 'base64' ? 'base64' : 'hex';
    const digest = createHmac(algorithm, key)
      .update(signed, usesLatin1 ? 'latin1' : 'utf8')
      .digest(encoding);
    const prefix = fault === 'signature-without-prefix' ? '' : 'sha256=';
    return `${prefix}${choices.digest === 'HEX' ? digest.toUpperCase() : digest}`;
  }

  /** Sends a webhook once. Returns true if the response is 2xx. */
  async #attempt(url: string, headers: Record<string, string>, body: string): Promise<boolean> {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(responseTimeoutMs)]);
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      await response.body?.cancel();
      return response.ok;
    } catch {
      // A network error or a timeout counts as a failed attempt.
      this.#stop.signal.throwIfAborted();
      return false;
    }
  }

  #sleep(ms: number): Promise<void> {
    return wait(ms, undefined, { signal: this.#stop.signal });
  }
}
