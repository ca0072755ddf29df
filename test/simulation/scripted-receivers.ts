import { setMaxListeners } from 'node:events';
import type { SendWebhook, WebhookOutcome, WebhookRequest } from '../../src/simulation/state/ports.js';

/** A message that was sent. */
export interface SentMessage extends WebhookRequest {
  /** Aborted when the attempt must stop. */
  readonly signal: AbortSignal;
  /** Responds to the message, unless there is a response already. */
  respond(outcome: Partial<WebhookOutcome>): void;
}

/** Returns the response to a message; undefined if the test will call `SentMessage.respond`. */
type Script = (message: SentMessage, index: number) => Partial<WebhookOutcome> | undefined;

/** Webhook receivers without a network: they record the messages and respond as a script says. */
export class ScriptedReceivers {
  /** Messages in the order in which they were sent. */
  readonly sent: SentMessage[] = [];
  /** Highest number of messages that waited for a response at the same time. */
  maxInFlight = 0;
  #inFlightCount = 0;
  readonly #script: Script;

  /** @param script by default, every message gets a 200 */
  constructor(script: Script = () => ({})) {
    this.#script = script;
  }

  /** Implements the port `sendWebhook` of a world. */
  readonly send: SendWebhook = (request, signal) =>
    new Promise((resolve) => {
      this.#inFlightCount += 1;
      this.maxInFlight = Math.max(this.maxInFlight, this.#inFlightCount);
      let hasResponded = false;
      const respond = (outcome: Partial<WebhookOutcome>): void => {
        if (hasResponded) return;
        hasResponded = true;
        this.#inFlightCount -= 1;
        resolve({
          headers: {},
          status: 200,
          error: null,
          milliseconds: 1,
          responseBody: '',
          retryAfter: null,
          date: null,
          ...outcome,
        });
      };
      // One signal aborts all messages of an account. Node warns of a leak if a signal has more than ten listeners.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', () => respond({ status: null, error: 'stopped' }));
      if (signal.aborted) throw new Error('a message is sent although its sending has been aborted');
      const message: SentMessage = { ...request, signal, respond };
      this.sent.push(message);
      const outcome = this.#script(message, this.sent.length - 1);
      if (outcome) respond(outcome);
    });

  /** The message at a zero-based index. */
  at(index: number): SentMessage {
    const message = this.sent[index];
    if (!message) throw new Error(`${this.sent.length} messages were sent; there is none at ${index}`);
    return message;
  }

  /** Events in the order in which they were sent. */
  get events(): string[] {
    return this.sent.map(({ event }) => event);
  }
}
