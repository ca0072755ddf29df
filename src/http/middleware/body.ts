import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { ServiceError } from '../../domain/service-error.js';
import { lazy } from '../../lib/lazy.js';

/** Reads a JSON body of up to 100 kB into `request.body`. A missing body counts as an empty object, for the schema to judge. */
export const readJson = reader(100_000);

/** Reads a JSON body of up to 1 MB; otherwise like `readJson`. */
export const readLargeJson = reader(1_000_000);

function reader(limit: number) {
  // Created by the first body: the parser loads more than the rest of Express.
  const parser = lazy(() =>
    limited(limit, express.json({ limit, inflate: false, strict: false, type: () => true, verify: rejectInvalidUtf8 })),
  );
  return (request: Request, response: Response, next: NextFunction): void => {
    const { profile } = request.exchange;
    if (!announcesBody(request)) {
      request.body = {};
      next();
      return;
    }
    if (!isJson(request) && profile['request.content-type'] === '415') throw new ServiceError('not-json');
    parser()(request, response, (error?: unknown) => {
      const asEmpty =
        profile['request.malformed-json'] === 'as-empty' && toServiceError(error)?.code === 'json-malformed';
      if (asEmpty) request.body = {};
      next(asEmpty ? undefined : error);
    });
  };
}

const byteOrderMark = Buffer.from('\ufeff');

/** Rejects a body that is not valid UTF-8, since it would be stored as something else than was sent. */
function rejectInvalidUtf8(_request: unknown, _response: unknown, body: Buffer, charset: string): void {
  if (charset === 'utf-8' && !isUtf8(body)) throw new ServiceError('json-malformed', { hint: 'the body is not UTF-8' });
  // The parser takes a byte order mark alone for a missing body, which would capture the whole deposit.
  if (body.equals(byteOrderMark)) throw new ServiceError('json-malformed', { hint: 'the body is blank' });
}

/**
 * Limits the size of the bodies that a parser reads. A larger body is rejected as soon as that is known; the parser would
 * read it to its end first.
 * @throws ServiceError content-too-large, large-content-too-large
 */
export function limited(limit: number, parse: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (Number(length) > limit) throw tooLarge(limit);
    if (expectsContinue(request)) response.writeContinue();
    if (encoding === undefined) {
      parse(request, response, next);
      return;
    }
    let received = 0;
    request.on('data', function count(chunk: Buffer) {
      received += chunk.length;
      if (received <= limit) return;
      request.off('data', count);
      next(tooLarge(limit));
    });
    parse(request, response, (error?: unknown) => {
      if (received <= limit) next(error);
    });
  };
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError(limit > 100_000 ? 'large-content-too-large' : 'content-too-large');
}

/** Returns true if the headers of a request announce a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/** Returns true if the client waits for 100 Continue before it sends the body. HTTP/1.0 has no such thing (RFC 9110, 10.1.1). */
export function expectsContinue({ headers: { expect }, httpVersion }: IncomingMessage): boolean {
  return expect !== undefined && httpVersion === '1.1' && /\b100-continue\b/i.test(expect);
}

function isJson(request: Request): boolean {
  const type = request.headers['content-type'];
  return type !== undefined && /^application\/json *(?:;|$)/i.test(type);
}

/** Converts an error of the body parser or the router to a ServiceError; undefined for an internal error. */
export function toServiceError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  if (!(error instanceof Error)) return undefined;
  if (error instanceof URIError || ('status' in error && error.status === 400 && !('type' in error)))
    return new ServiceError('route-unknown');
  const type = 'type' in error ? error.type : undefined;
  if (type === 'entity.parse.failed') return new ServiceError('json-malformed', { hint: error.message });
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return new ServiceError('not-json', { hint: error.message });
  if (type === 'request.aborted' || type === 'request.size.invalid') return new ServiceError('request-broken');
  return undefined;
}
