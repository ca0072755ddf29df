import { isUtf8 } from 'node:buffer';
import express, { type NextFunction, type Request, type Response } from 'express';
import { Refusal } from '../domain/refusal.js';

/** Reads a JSON body of up to 100 kB into `request.body`; no body counts as an empty object, for the schema to judge. */
export const readJson = reader(100_000);

/** As `readJson`, up to 1 MB. */
export const readLargeJson = reader(1_000_000);

function reader(limit: number) {
  const parse = express.json({ limit, inflate: false, strict: false, type: () => true, verify: refuseBrokenText });
  return (request: Request, response: Response, next: NextFunction): void => {
    const { profile } = request.exchange;
    if (!hasBody(request)) {
      request.body = {};
      next();
      return;
    }
    if (!isJson(request) && profile['request.content-type'] === '415') throw new Refusal('not-json');
    parse(request, response, (error?: unknown) => {
      const asEmpty = profile['request.malformed-json'] === 'as-empty' && refusalOf(error)?.code === 'json-malformed';
      if (asEmpty) request.body = {};
      next(asEmpty ? undefined : error);
    });
  };
}

const byteOrderMark = Buffer.from('\ufeff');

/** What is no UTF-8 would be stored as something else than was sent. */
function refuseBrokenText(_request: unknown, _response: unknown, body: Buffer, charset: string): void {
  if (charset === 'utf-8' && !isUtf8(body)) throw new Refusal('json-malformed', { hint: 'the body is not UTF-8' });
  // The parser takes a byte order mark alone for no body at all, which would be a capture of everything.
  if (body.equals(byteOrderMark)) throw new Refusal('json-malformed', { hint: 'the body is blank' });
}

function hasBody(request: Request): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

function isJson(request: Request): boolean {
  const type = request.headers['content-type'];
  return type !== undefined && /^application\/json *(?:;|$)/i.test(type);
}

/** The refusal that an error of the parser or the router stands for; undefined for a failure of our own. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return undefined;
  if (error instanceof URIError || ('status' in error && error.status === 400 && !('type' in error)))
    return new Refusal('route-unknown');
  const type = 'type' in error ? error.type : undefined;
  if (type === 'entity.parse.failed') return new Refusal('json-malformed', { hint: error.message });
  if (type === 'entity.too.large') {
    const isLarge = 'limit' in error && Number(error.limit) > 100_000;
    return new Refusal(isLarge ? 'large-content-too-large' : 'content-too-large');
  }
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return new Refusal('not-json', { hint: error.message });
  if (type === 'request.aborted' || type === 'request.size.invalid') return new Refusal('request-broken');
  return undefined;
}
