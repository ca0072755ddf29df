import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { clearTimeout, setTimeout } from 'node:timers';
import { type ErrorCode, ServiceError } from '../domain/service-error.js';
import type { World } from '../simulation/world.js';
import { isClosing, pendingResponse } from './exchange.js';
import { errorResponse } from './service/errors.js';
import { closeDelayMs, jsonContentType, onceClosed, rateHeaders } from './service/response.js';

/** Our error codes, keyed by the code of Node's error. Any other code means that the request is not valid HTTP. */
const errorCodes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  // Node responds to these with 413, too.
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'content-over-100-kb',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-too-slow',
};

/** Some clients, such as curl, send a URL as it was written. */
const invalidUrlHint = 'percent-encode characters of the URL that are not ASCII';

/**
 * Returns a listener for a server's `clientError` event, which responds with the error envelope even to invalid HTTP.
 * Such a request never reaches the application.
 */
export function clientErrorListener(world: World) {
  return (error: Error & { code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    // On a connection that is about to close, further bytes are ignored: its last response is being sent.
    if (error.code === 'HPE_CLOSED_CONNECTION' || isClosing(socket)) return;
    discardInput(socket);
    const pending = pendingResponse(socket);
    if (pending === undefined) respond(error, socket);
    else onceClosed(pending, () => socket.writable && respond(error, socket));
  };

  function respond(error: Error & { code?: string }, socket: Duplex): void {
    // The token of the request, and so its account, is unknown.
    const account = world.accounts.default();
    const address = 'remoteAddress' in socket ? socket.remoteAddress : undefined;
    const rateReport = account.countRequest({
      token: undefined,
      address: typeof address === 'string' ? address : undefined,
    });
    const hint = error.code === 'HPE_INVALID_URL' ? invalidUrlHint : undefined;
    const serviceError = new ServiceError(errorCodes[error.code ?? ''] ?? 'request-malformed', { hint });
    const { status, body, headers: hintHeaders } = errorResponse(serviceError, account.profile);
    const headers = {
      'Content-Type': jsonContentType,
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
      ...hintHeaders,
      ...rateHeaders(rateReport, account.profile, account.now()),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    endGracefully(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  }
}

/** Discards what else arrives. Unread input would reset the connection before the client has read the response. */
function discardInput(socket: Duplex): void {
  socket.removeAllListeners('data');
  socket.on('data', ignore).resume();
}

/** Sends the last bytes, and disconnects a client that does not disconnect in time. */
function endGracefully(socket: Duplex, bytes: string): void {
  const timer = setTimeout(() => socket.destroy(), closeDelayMs).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(bytes);
}

function ignore(): void {
  // Only reads the input.
}
