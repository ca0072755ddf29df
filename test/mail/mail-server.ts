import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

interface Received {
  readonly from: string;
  readonly recipients: readonly string[];
  readonly secure: boolean;
  readonly user: unknown;
  readonly raw: string;
  readonly mail: Email;
}

/** Starts an SMTP server on a free port, which records mails; closed when the test ends. */
export async function startMailServer(
  options: SMTPServerOptions = {},
): Promise<{ readonly port: number; readonly received: readonly Received[] }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    async onData(stream, { envelope, secure, user }, callback) {
      const raw = await text(stream);
      received.push({
        from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
        recipients: envelope.rcptTo.map(({ address }) => address),
        secure,
        user,
        raw,
        mail: await PostalMime.parse(raw),
      });
      callback();
    },
    ...options,
  });
  // In some tests the client gives up, which the server reports as an error.
  server.on('error', () => {});
  const smtpServer = server.listen(0, '127.0.0.1');
  await new Promise((resolve) => smtpServer.once('listening', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return { port: portOf(smtpServer.address()), received };
}

/** A TCP server that does not speak SMTP, with its own handler of connections; closed when the test ends. */
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
