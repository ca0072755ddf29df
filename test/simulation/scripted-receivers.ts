import { setMaxListeners } from 'node:events';
import type { SendWebhook, WebhookOutcome, WebhookRequest } from '../../src/simulation/state/ports.js';

/** A message that was sent. */
export interface Sent extends WebhookRequest {
  /** Aborted when the attempt has to stop. */
  readonly stop: AbortSignal;
  /** Responds to it, unless there is a response already. */
  answer(outcome: Partial<WebhookOutcome>): void;
}

/** Chooses the response to a message; undefined leaves it to `Sent.answer`. */
type Script = (message: Sent, index: number) => Partial<WebhookOutcome> | undefined;

/** Receivers without a network: they record messages, and respond as the test scripts them. */
export class ScriptedReceivers {
  /** In the order in which they were sent. */
  readonly sent: Sent[] = [];
  /** Highest number of messages that waited for a response at the same time. */
  most = 0;
  #underWay = 0;
  readonly #script: Script;

  /** @param script answers 200 if left out */
  constructor(script: Script = () => ({})) {
    this.#script = script;
  }

  /** The port of a world. */
  readonly send: SendWebhook = (request, stop) =>
    new Promise((resolve) => {
      this.#underWay += 1;
      this.most = Math.max(this.most, this.#underWay);
      let isAnswered = false;
      const answer = (outcome: Partial<WebhookOutcome>): void => {
        if (isAnswered) return;
        isAnswered = true;
        this.#underWay -= 1;
        resolve({ headers: {}, status: 200, error: null, milliseconds: 1, answer: '', retryAfter: null, ...outcome });
      };
      // Like the real sender. One signal can stop any number of messages.
      setMaxListeners(0, stop);
      stop.addEventListener('abort', () => answer({ status: null, error: 'stopped' }));
      const message: Sent = { ...request, stop, answer };
      this.sent.push(message);
      const outcome = this.#script(message, this.sent.length - 1);
      if (outcome) answer(outcome);
    });

  /** The nth message sent, counted from 0. */
  at(index: number): Sent {
    const message = this.sent[index];
    if (!message) throw new Error(`${this.sent.length} messages were sent, there is none at ${index}`);
    return message;
  }

  /** Events in the order in which they were sent. */
  get events(): string[] {
    return this.sent.map(({ event }) => event);
  }
}
