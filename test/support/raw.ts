import { once } from 'node:events';
import { connect } from 'node:net';

/** Ends the status line and headers of a response. */
const headEndMark = '\r\n\r\n';

/** An HTTP response as received. */
export interface RawResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends bytes over a new connection, and returns all responses that arrive until the server closes the connection. If
 * the server might keep it open, send `Connection: close`.
 */
export async function sendRaw(url: string, bytes: string | Buffer): Promise<RawResponse[]> {
  return parseResponses(await receive(url, bytes));
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

function parseResponses(bytes: Buffer): RawResponse[] {
  if (bytes.length === 0) return [];
  const headEnd = bytes.indexOf(headEndMark);
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  if (headEnd === -1 || status === undefined) throw new Error(`not an HTTP response: ${bytes.toString('latin1')}`);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const bodyStart = headEnd + headEndMark.length;
  const bodyEnd = bodyStart + Number(headers['content-length'] ?? 0);
  const response = { status: Number(status), headers, body: bytes.toString('utf8', bodyStart, bodyEnd) };
  return [response, ...parseResponses(bytes.subarray(bodyEnd))];
}

/** A connection over which a test sends bytes and receives responses one at a time. */
export interface RawConnection {
  send(bytes: string | Buffer): void;
  /** Resolves to the next complete response, which may be 100 Continue. */
  nextResponse(): Promise<RawResponse>;
  /** Resolves once the server has ended its side. */
  readonly ended: Promise<void>;
  /** Destroys the connection. */
  close(): void;
}

/** Opens a connection. After the server has ended its side, the connection stays half open until `close` is called. */
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
    async nextResponse() {
      for (;;) {
        const length = firstResponseLength(bytes);
        if (length !== undefined) {
          const [first] = parseResponses(bytes.subarray(0, length));
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
function firstResponseLength(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf(headEndMark);
  if (headEnd === -1) return undefined;
  const [, bodyLength = 0] = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, headEnd)) ?? [];
  const length = headEnd + headEndMark.length + Number(bodyLength);
  return length <= bytes.length ? length : undefined;
}
