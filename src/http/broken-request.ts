import type { Duplex } from 'node:stream';
import { Refusal } from '../domain/refusal.js';
import type { World } from '../simulation/create-world.js';
import { refusalAnswer } from './errors.js';
import { rateHeaders } from './exchange.js';

/** Status and reason by the code of the parser's error; what is not here is 400. */
const statuses: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers bytes that are no HTTP request, which never get as far as the application, with the error envelope as well. */
export function answerBrokenRequest(world: World) {
  return (error: Error & { code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const account = world.fallback();
    const address = 'remoteAddress' in socket ? socket.remoteAddress : undefined;
    const verdict = account.countRequest(`address ${address}`);
    const { body } = refusalAnswer(new Refusal('request-broken'), account.profile);
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
      ...rateHeaders(verdict, account.profile, account.now()),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${statuses[error.code ?? ''] ?? '400 Bad Request'}\r\n${lines.join('')}\r\n${body}`);
  };
}
