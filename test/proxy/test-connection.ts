import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';

/** One side of a connection, whose incoming bytes a test can wait for. */
export class TestConnection {
  readonly socket: Socket;
  #text = '';
  #wake = (): void => undefined;
  isClosed = false;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#text += text;
      this.#wake();
    });
    // Only the end of a broken connection matters, not its error.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  get text(): string {
    return this.#text;
  }

  /** Waits until the received text contains a string. @returns the text @throws Error if the connection closes first */
  async until(expected: string): Promise<string> {
    while (!this.#text.includes(expected)) {
      if (this.isClosed)
        throw new Error(`closed before ${JSON.stringify(expected)} arrived: ${JSON.stringify(this.#text)}`);
      await this.#nextChange();
    }
    return this.#text;
  }

  /** Waits until the connection is closed, and returns all received text. */
  async untilClosed(): Promise<string> {
    while (!this.isClosed) await this.#nextChange();
    return this.#text;
  }

  write(text: string): void {
    this.socket.write(text, 'latin1');
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** Opens a connection to a server. It is closed after the test. */
export function dial(url: string, options: { readonly allowHalfOpen?: boolean } = {}): TestConnection {
  const { hostname, port } = new URL(url);
  const socket = connect({ ...options, host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  return new TestConnection(socket);
}

/** Starts a plain TCP server. `next` waits for the next connection. */
export async function openRawServer(): Promise<{ readonly url: string; next(): Promise<TestConnection> }> {
  const accepted: TestConnection[] = [];
  let wake = (): void => undefined;
  const server = createServer((socket) => {
    accepted.push(new TestConnection(socket));
    wake();
  });
  const { url } = await listenUntilTestEnds(server);
  return {
    url,
    async next() {
      for (;;) {
        const connection = accepted.shift();
        if (connection) return connection;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
