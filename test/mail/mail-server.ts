import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

interface ReceivedMail {
  readonly from: string;
  readonly recipients: readonly string[];
  /** True if the connection was encrypted. */
  readonly isSecure: boolean;
  /** Name with which the client logged in. */
  readonly user: unknown;
  /** The whole email as text, with its headers. */
  readonly source: string;
  readonly parsed: Email;
}

/** Starts an SMTP server that records emails, on a free port; it is closed after the test. */
export async function startMailServer(
  options: SMTPServerOptions = {},
): Promise<{ readonly port: number; readonly received: readonly ReceivedMail[] }> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    // Milliseconds for which closing waits for open connections.
    closeTimeout: 100,
    async onData(stream, { envelope, secure, user }, callback) {
      const source = await text(stream);
      received.push({
        from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
        recipients: envelope.rcptTo.map(({ address }) => address),
        isSecure: secure,
        user,
        source,
        parsed: await PostalMime.parse(source),
      });
      callback();
    },
    ...options,
  });
  // In some tests the client disconnects early, which the server reports as an error.
  server.on('error', () => {});
  const smtpServer = server.listen(0, '127.0.0.1');
  await new Promise((resolve) => smtpServer.once('listening', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return { port: portOf(smtpServer.address()), received };
}

/** Starts a TCP server with a custom connection handler, on a free port; it is closed after the test. */
export async function startRawServer(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return portOf(server.address());
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}
