import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, ServiceError } from '../domain/service-error.js';
import type { World } from '../simulation/world.js';
import { rateHeaders } from './middleware/rate-headers.js';
import { countStranger } from './middleware/rate-limit.js';
import { lingerMs } from './service/answer.js';
import { refusalAnswer } from './service/errors.js';

/** What the parser's errors are refused as; what is not here is no HTTP. */
const refusals: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'content-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-too-slow',
};

/** Answers bytes that are no HTTP request, which never get as far as the application, with the error envelope as well. */
export function answerBrokenRequest(world: World) {
  return (error: Error & { code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    // Bytes behind a request that ends the connection. They are ignored; its own answer is still on its way.
    if (error.code === 'HPE_CLOSED_CONNECTION') return;
    const account = world.fallback();
    const address = 'remoteAddress' in socket ? socket.remoteAddress : undefined;
    const verdict = countStranger(account, typeof address === 'string' ? address : undefined);
    const refusal = new ServiceError(refusals[error.code ?? ''] ?? 'request-broken');
    const { status, body } = refusalAnswer(refusal, account.profile);
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
      ...rateHeaders(verdict, account.profile, account.now()),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    endLater(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  };
}

/** Sends the last bytes, and parts with a client that does not close. What it still sends is read, and is no request any more. */
function endLater(socket: Duplex, bytes: string): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.removeAllListeners('data');
  socket.on('data', ignore).resume();
  socket.once('close', () => clearTimeout(timer));
  socket.end(bytes);
}

function ignore(): void {
  // Reading keeps what arrives from resetting the connection before the client has read the answer.
}
