import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, isClosedConnection, keepAlive } from '../../lib/keep-alive.js';

/** How long to wait for a target to close a connection after a response. */
const closingTimeMs = 50;

/**
 * Connections to a target. Requests share them, since opening one takes several round trips. Once the target has closed
 * one unannounced, each request gets its own: the target could close a shared one just as it is reused, and only GET
 * requests can be retried.
 */
export class Connections {
  readonly #protocol: string;
  readonly #watched = new WeakSet<Socket>();
  #agent: HttpAgent | HttpsAgent;

  /** @param protocol protocol of the URLs, `http:` or `https:` */
  constructor(protocol: string) {
    this.#protocol = protocol;
    this.#agent = createAgent(protocol);
    // An agent emits this event when a connection that is kept alive has become unused.
    this.#agent.on('free', (socket: Socket) => {
      if (this.#watched.has(socket)) return;
      this.#watched.add(socket);
      socket.once('end', () => this.stopSharing());
      // The target may also reset a connection, which does not end it.
      socket.once('error', (error) => {
        if (isClosedConnection(error)) this.stopSharing();
      });
    });
  }

  get agent(): HttpAgent | HttpsAgent {
    return this.#agent;
  }

  /** Makes each further request open a new connection. */
  stopSharing(): void {
    this.#agent = createAgent(this.#protocol, { ...keepAlive, keepAlive: false });
  }

  /** Waits a moment, in which the target may close the connection after its response. */
  async waitForClosing(): Promise<void> {
    await sleep(closingTimeMs);
  }
}
