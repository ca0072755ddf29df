import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, keepAlive } from '../../lib/keep-alive.js';

/** Time that a target which closes a connection after a response may take to do so. */
const closingTimeMs = 50;

/**
 * Connections to a target. Requests share them, since opening one takes several round trips, until the target closes
 * one without saying so in a response. It might do that again just as a request reuses the connection, and only GET
 * requests can be retried.
 */
export class Connections {
  readonly #protocol: string;
  readonly #unused = new WeakSet<Socket>();
  #agent: HttpAgent | HttpsAgent;

  /** @param protocol protocol of the URLs, `http:` or `https:` */
  constructor(protocol: string) {
    this.#protocol = protocol;
    this.#agent = createAgent(protocol);
    // An agent emits this event when a connection that is kept alive has become unused.
    this.#agent.on('free', (socket: Socket) => {
      if (this.#unused.has(socket)) return;
      this.#unused.add(socket);
      socket.once('end', () => this.stopSharing());
    });
  }

  get agent(): HttpAgent | HttpsAgent {
    return this.#agent;
  }

  /** Makes each further request open a new connection. */
  stopSharing(): void {
    this.#agent = createAgent(this.#protocol, { ...keepAlive, keepAlive: false });
  }

  /** Waits until a target that closes the connection after each response has probably closed the last one. */
  async waitForClosing(): Promise<void> {
    await sleep(closingTimeMs);
  }
}
