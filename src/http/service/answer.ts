import type { ServerResponse } from 'node:http';
import { announcesBody, expectsContinue } from '../middleware/body.js';

/** What a request is answered with. Handlers return it; `writeAnswer` alone writes it. */
export interface Answer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  readonly headers?: Readonly<Headers>;
}

export type Headers = Record<string, string | number>;

/** The success envelope (specification, Common response envelope) around a payload that is JSON text already. */
export function success(status: number, data: string): { status: number; body: string } {
  return { status, body: `{"success":true,"data":${data}}` };
}

/** Header values are ASCII; hints may quote what a client sent. */
export function headerText(hint: string): string {
  return hint.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}

export function writeAnswer(response: ServerResponse, answer: Answer, headers: Headers): void {
  const size = Buffer.byteLength(answer.body);
  // No content has no type and no length (RFC 9110, 8.6).
  if (answer.status !== 204) {
    headers['Content-Type'] = 'application/json; charset=utf-8';
    headers['Content-Length'] = size;
  }
  headers['Cache-Control'] = 'no-store';
  headers['X-Content-Type-Options'] = 'nosniff';
  if (answer.headers) Object.assign(headers, answer.headers);
  response.writeHead(answer.status, headers);
  // Text that is all ASCII is the same in Latin-1, which Node copies where it would have to encode UTF-8.
  const encoding = size === answer.body.length ? 'latin1' : 'utf8';
  endAnswer(response, headers, answer.body, encoding);
}

/**
 * Ends an answer with its body. Where the connection ends too, that waits until the client has stopped sending: else what
 * it still sends would be answered with a reset, which may take the answer with it.
 */
export function endAnswer(
  response: ServerResponse,
  headers: Headers,
  body: string | Buffer,
  encoding: BufferEncoding = 'utf8',
): void {
  if (!isStillSending(response, headers)) {
    response.end(body, encoding);
    return;
  }
  const { req: request } = response;
  const end = (): void => {
    clearTimeout(timer);
    request.off('close', end);
    response.end();
  };
  const timer = setTimeout(end, lingerMs).unref();
  response.write(body, encoding);
  request.once('close', end).resume();
}

/** How long a client whose connection ends with an answer may take to read it and to stop sending, in milliseconds. */
export const lingerMs = 5_000;

/** Whether the connection is to end while a body is on its way. */
function isStillSending(response: ServerResponse, { Connection }: Headers): boolean {
  const { req: request } = response;
  if (request.complete || !announcesBody(request)) return false;
  // A client that waits to be asked for its body sends none.
  const isWaiting = expectsContinue(request) && request.readableFlowing === null;
  return !isWaiting && (Connection === 'close' || !response.shouldKeepAlive);
}
