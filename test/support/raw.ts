import { once } from 'node:events';
import { connect } from 'node:net';

/** One HTTP answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends bytes over a connection of their own and gives every response that came until the server closed it. A server that
 * keeps the connection open keeps the caller waiting: send `Connection: close` where it may.
 */
export async function sendRaw(url: string, bytes: string | Buffer): Promise<RawAnswer[]> {
  return readAnswers(await receive(url, bytes));
}

function receive(url: string, bytes: string | Buffer): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    socket.write(bytes);
  });
}

function readAnswers(bytes: Buffer): RawAnswer[] {
  if (bytes.length === 0) return [];
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  if (end === -1 || status === undefined) throw new Error(`no HTTP answer: ${bytes.toString('latin1')}`);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const start = end + 4;
  const after = start + Number(headers['content-length'] ?? 0);
  const answer = { status: Number(status), headers, body: bytes.toString('utf8', start, after) };
  return [answer, ...readAnswers(bytes.subarray(after))];
}

/** A connection that is talked over step by step. */
export interface RawConnection {
  send(bytes: string | Buffer): void;
  /** The next answer, 100 Continue included, as soon as all of it has come. */
  answer(): Promise<RawAnswer>;
  /** Settles once the server has ended its side. */
  readonly ended: Promise<void>;
  /** Ends this side too. */
  close(): void;
}

/** Opens a connection; it stays open after the server has ended its side, until it is closed. */
export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), allowHalfOpen: true });
  let bytes: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
  });
  await once(socket, 'connect');
  return {
    send: (sent) => void socket.write(sent),
    async answer() {
      for (;;) {
        const length = lengthOfAnswer(bytes);
        if (length !== undefined) {
          const [first] = readAnswers(bytes.subarray(0, length));
          bytes = bytes.subarray(length);
          if (first) return first;
        }
        await once(socket, 'data');
      }
    },
    ended: once(socket, 'end').then(() => undefined),
    close: () => void socket.destroy(),
  };
}

/** Length of the first response in bytes; undefined while it is incomplete. */
function lengthOfAnswer(bytes: Buffer): number | undefined {
  const head = bytes.indexOf('\r\n\r\n');
  if (head === -1) return undefined;
  const length = head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1] ?? 0);
  return length <= bytes.length ? length : undefined;
}
