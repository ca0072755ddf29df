import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { openServer } from './proxied.js';

/** The bytes of one side of a connection, to be waited for. */
export class Wire {
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

  /** Waits until what has come has this in it, and gives all of it. @throws Error if the connection is closed before */
  async until(wanted: string): Promise<string> {
    while (!this.#text.includes(wanted)) {
      if (this.isClosed) throw new Error(`closed before ${JSON.stringify(wanted)} came: ${JSON.stringify(this.#text)}`);
      await this.#news();
    }
    return this.#text;
  }

  async closed(): Promise<string> {
    while (!this.isClosed) await this.#news();
    return this.#text;
  }

  write(text: string): void {
    this.socket.write(text, 'latin1');
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** A connection to a server, closed after the test. */
export function dial(url: string): Wire {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  return new Wire(socket);
}

/** A server that is nothing but bytes: each connection that is made to it, in their order. */
export async function openWires(): Promise<{ readonly url: string; next(): Promise<Wire> }> {
  const made: Wire[] = [];
  let wake = (): void => undefined;
  const server = createServer((socket) => {
    made.push(new Wire(socket));
    wake();
  });
  const url = await openServer(server);
  return {
    url,
    async next() {
      for (;;) {
        const wire = made.shift();
        if (wire) return wire;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
