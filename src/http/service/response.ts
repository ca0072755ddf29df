import type { ServerResponse } from 'node:http';
import { clearTimeout, setTimeout } from 'node:timers';
import { apiTimestamp, formatInstant } from '../../domain/dates.js';
import type { RateReport } from '../../domain/rate-window.js';
import type { Profile } from '../../openapi/profile.js';
import { announcesBody, expectsContinue } from '../middleware/body.js';

/**
 * The result of a handler, which `writeResponse` sends. It is not called `Response`, since Express uses that name for
 * the object that sends a response.
 */
export interface ResponseData<Body extends string | Buffer = string> {
  readonly status: number;
  /** JSON text in the APIs; HTML or other text on pages. A Buffer has the bytes of the text. */
  readonly body: Body;
  readonly headers?: Readonly<Headers>;
}

export type Headers = Record<string, string | number>;

/** The success envelope (specification, Common response envelope). @param data JSON text */
export function success(status: number, data: string): { status: number; body: string } {
  return { status, body: `{"success":true,"data":${data}}` };
}

/** Makes text that may quote client input safe for a header: replaces all but printable ASCII, and shortens it. */
export function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 400);
}

/** Joins two hints; the first may be missing. */
export function joinHints(first: string | undefined, second: string): string {
  return first === undefined ? second : `${first}${first.endsWith('?') ? '' : ';'} ${second}`;
}

/** Adds a hint to a response, after the hint that the response may already have. */
export function withHint<Body extends string | Buffer>(
  { headers, ...rest }: ResponseData<Body>,
  hint: string,
): ResponseData<Body> {
  const ownHint = headers?.['X-Sim-Hint']?.toString();
  return { ...rest, headers: { ...headers, 'X-Sim-Hint': joinHints(ownHint, headerText(hint)) } };
}

/** A response as it was sent; its status is null if no response was sent. */
export interface SentResponse {
  readonly status: number | null;
  readonly headers: Readonly<Headers>;
  readonly body: string | Buffer;
}

export const noResponse: SentResponse = { status: null, headers: {}, body: '' };

/** The rate-limit headers (specification, Limits; the profile chooses the unit: `rate.reset-unit`). */
export function rateHeaders(report: RateReport, profile: Profile, now: number): Headers {
  return {
    'X-RateLimit-Limit': report.limit,
    'X-RateLimit-Remaining': report.remaining,
    'X-RateLimit-Reset': resetFormats[profile['rate.reset-unit']](report.resetAt, now),
  };
}

const resetFormats: Record<Profile['rate.reset-unit'], (resetAt: number, now: number) => string | number> = {
  'epoch-seconds': (resetAt) => Math.ceil(resetAt / 1000),
  'seconds-left': (resetAt, now) => Math.ceil((resetAt - now) / 1000),
  iso: (resetAt) => apiTimestamp(formatInstant(Math.ceil(resetAt / 1000) * 1000)),
};

export const jsonContentType = 'application/json; charset=utf-8';

/** Sends a response. Adds all of its headers to `headers`, which are then recorded in the request log. */
export function writeResponse(
  response: ServerResponse,
  responseData: ResponseData<string | Buffer>,
  headers: Headers,
): void {
  const size = Buffer.byteLength(responseData.body);
  // A response without content has neither a type nor a length (RFC 9110, 8.6).
  if (responseData.status !== 204) {
    headers['Content-Type'] = jsonContentType;
    headers['Content-Length'] = size;
  }
  headers['Cache-Control'] = 'no-store';
  headers['X-Content-Type-Options'] = 'nosniff';
  if (responseData.headers) Object.assign(headers, responseData.headers);
  response.writeHead(responseData.status, headers);
  // ASCII text is the same in Latin-1, which Node writes without converting it.
  const encoding = size === responseData.body.length ? 'latin1' : 'utf8';
  endResponse(response, headers, responseData.body, encoding);
}

/**
 * Ends a response with its body. If the connection has to close, it stays open until the client has stopped sending:
 * bytes that arrive after the close would cause a reset, which may discard the response.
 */
export function endResponse(
  response: ServerResponse,
  headers: Headers,
  body: string | Buffer,
  encoding: BufferEncoding = 'utf8',
): void {
  if (!mustDelayClose(response, headers)) {
    response.end(body, encoding);
    return;
  }
  const { req: request } = response;
  const end = (): void => {
    clearTimeout(timer);
    request.off('close', end);
    response.end();
  };
  const timer = setTimeout(end, closeDelayMs).unref();
  response.write(body, encoding);
  request.once('close', end).resume();
}

/** Time for a client to read the response and stop sending before its connection is closed, in milliseconds. */
export const closeDelayMs = 5_000;

/** Returns true if the connection has to close although the client is still sending a body. */
function mustDelayClose(response: ServerResponse, { Connection }: Headers): boolean {
  const { req: request } = response;
  if (request.complete || !announcesBody(request)) return false;
  // A client that expects 100 Continue sends the body only after that response, which `readBytes` writes when it starts
  // to read the body.
  const isWaiting = expectsContinue(request) && request.readableFlowing === null;
  return !isWaiting && (Connection === 'close' || !response.shouldKeepAlive);
}

/** Calls back when a response is closed: it was sent, or its connection was lost. */
export function onceClosed(response: ServerResponse, callback: () => void): void {
  const { socket } = response.req;
  const finish = (): void => {
    response.off('close', finish);
    socket.off('close', finish);
    callback();
  };
  response.once('close', finish);
  // A response that waits for earlier ones on the connection has no socket yet, so Node does not emit its `close` event
  // when the connection closes.
  if (response.socket === null) socket.setMaxListeners(0).once('close', finish);
}
