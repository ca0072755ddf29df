import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { invalidField, ServiceError } from '../../domain/service-error.js';
import { errorMessage } from '../../lib/errors.js';
import { parseJson, withoutByteOrderMark } from '../../lib/json.js';
import type { Profile } from '../../openapi/profile.js';

/** Maximum size of the body of a request to the service, and of a URL-encoded form, in bytes. */
const maxBodySize = 100_000;

/** Reads a JSON body of up to 100 kB into `request.body`. A missing body is read as an empty object. */
export const readJson = jsonReader(maxBodySize);

/** Reads a JSON body of up to 1 MB; otherwise like `readJson`. */
export const readLargeJson = jsonReader(1_000_000);

/** Maximum size of a snapshot, and of a multipart form, in bytes. */
const maxSnapshotSize = 20_000_000;

/** Reads a JSON body of up to 20 MB; otherwise like `readJson`. */
export const readSnapshotJson = jsonReader(maxSnapshotSize);

function jsonReader(limit: number): RequestHandler {
  return (request, response, next) => {
    if (!announcesBody(request)) {
      request.body = {};
      next();
      return;
    }
    const { profile } = request.exchange;
    const typeError = jsonTypeError(request, profile);
    if (typeError && !mayBeEmpty(request)) throw typeError;
    const done: BytesCallback = (error, bytes) => {
      if (error) next(error);
      else setBody(request, bytes, profile, next);
    };
    readBytes(request, response, { limit, contentError: typeError }, done);
  };
}

/**
 * Reads a form into `request.body` as URL-encoded text; a multipart form is converted to it. A multipart form, which
 * may contain a file, can be up to 20 MB long, and a URL-encoded one up to 100 kB. Bodies of other types stay unread.
 * @throws ServiceError form-malformed; invalid for a file that is not UTF-8
 */
export function readFormText(request: Request, response: Response, next: NextFunction): void {
  const type = request.headers['content-type'] ?? '';
  if (announcesBody(request) && /^multipart\/form-data *(?:;|$)/i.test(type)) {
    readBytes(request, response, { limit: maxSnapshotSize }, (error, bytes) => {
      if (error) next(error);
      else setMultipartForm(request, bytes, type).then(() => next(), next);
    });
    return;
  }
  if (!announcesBody(request) || !/^application\/x-www-form-urlencoded *(?:;|$)/i.test(type)) {
    next();
    return;
  }
  readBytes(request, response, { limit: maxBodySize }, (error, bytes) => {
    request.body = bytes.toString();
    next(error);
  });
}

/**
 * Converts a multipart form (RFC 7578) to URL-encoded text, with files as text.
 * @throws ServiceError form-malformed; invalid for a file that is not UTF-8
 */
async function setMultipartForm(request: Request, bytes: Buffer, type: string): Promise<void> {
  const parser = new globalThis.Response(bytes, { headers: { 'Content-Type': type } });
  const fields = await parser.formData().catch(() => {
    throw new ServiceError('form-malformed');
  });
  const text = new URLSearchParams();
  for (const [name, value] of fields) text.append(name, typeof value === 'string' ? value : await textOf(value));
  request.body = text.toString();
}

/**
 * Returns the error of a body that is compressed or, if the profile says so, whose media type is not application/json
 * or whose charset is not UTF-8.
 */
function jsonTypeError({ headers }: IncomingMessage, profile: Profile): ServiceError | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  if (profile['request.content-type'] === '415') {
    if (!/^application\/json *(?:;|$)/i.test(type))
      return new ServiceError('not-json', { hint: 'send the header Content-Type: application/json' });
    const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1] ?? 'utf-8';
    // `utf8` is not registered, but common.
    if (!/^utf-?8$/i.test(charset)) {
      return new ServiceError('not-json', { hint: `JSON is UTF-8 (RFC 8259, 8.1), not ${charset}` });
    }
  }
  if (encoding.toLowerCase() === 'identity') return undefined;
  return new ServiceError('not-json', { hint: `the body is encoded as ${encoding}; send it without Content-Encoding` });
}

function setBody(request: Request, bytes: Buffer, profile: Profile, next: NextFunction): void {
  try {
    const text = bytes.toString();
    request.exchange.bodyText = text;
    request.body = parseBody(bytes, text);
  } catch (error) {
    if (profile['request.malformed-json'] !== 'as-empty') {
      next(error);
      return;
    }
    request.body = {};
  }
  next();
}

/** @throws ServiceError json-malformed */
function parseBody(bytes: Buffer, text: string): unknown {
  if (bytes.length === 0) return {};
  // In `text`, invalid bytes are replaced, so the stored values would differ from the sent ones.
  if (!isUtf8(bytes)) throw new ServiceError('json-malformed', { hint: 'the body is not UTF-8' });
  try {
    return parseJson(withoutByteOrderMark(text));
  } catch (error) {
    throw new ServiceError('json-malformed', { hint: errorMessage(error) });
  }
}

/**
 * Reads the body of a request. Refuses a body that is too large as soon as the limit is exceeded.
 * @param contentError error for a body that is not empty, reported as soon as some of it arrives
 * @param done called once; its errors are `contentError` and ServiceError content-over-100-kb, content-over-1-mb,
 *   content-over-20-mb and request-aborted
 * @throws ServiceError content-over-100-kb, content-over-1-mb or content-over-20-mb if Content-Length is too large;
 *   in that case, `done` is not called
 */
function readBytes(
  request: IncomingMessage,
  response: ServerResponse,
  { limit, contentError }: { readonly limit: number; readonly contentError?: ServiceError | undefined },
  done: BytesCallback,
): void {
  if (Number(request.headers['content-length']) > limit) throw tooLargeError(limit);
  if (expectsContinue(request)) response.writeContinue();
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (error?: ServiceError): void => {
    request.off('data', addChunk).off('end', finish).off('close', abort);
    const [first = noBytes] = chunks;
    done(error, chunks.length > 1 ? Buffer.concat(chunks) : first);
  };
  const addChunk = (chunk: Buffer): void => {
    chunks.push(chunk);
    size += chunk.length;
    if (contentError) finish(contentError);
    else if (size > limit) finish(tooLargeError(limit));
  };
  const abort = (): void => finish(new ServiceError('request-aborted'));
  request.on('data', addChunk).on('end', finish).on('close', abort);
}

type BytesCallback = (error: ServiceError | undefined, bytes: Buffer) => void;

const noBytes = Buffer.alloc(0);

function tooLargeError(limit: number): ServiceError {
  if (limit === maxSnapshotSize) return new ServiceError('content-over-20-mb');
  return new ServiceError(limit > maxBodySize ? 'content-over-1-mb' : 'content-over-100-kb');
}

/** Returns the text of a file in a form. @throws ServiceError invalid if it is not UTF-8 */
async function textOf(file: File): Promise<string> {
  const bytes = Buffer.from(await file.arrayBuffer());
  if (!isUtf8(bytes)) throw invalidField('file', 'custom', { message: 'The file is not UTF-8.' });
  return withoutByteOrderMark(bytes.toString());
}

/** Returns true if the headers of a request announce a body. */
export function announcesBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/** Returns true for a chunked body, which may end without content. A client that expects 100 Continue has content. */
function mayBeEmpty(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined && !expectsContinue(request);
}

/**
 * Returns true if the client waits for 100 Continue before it sends the body (RFC 9110, 10.1.1). HTTP/1.0 lacks this.
 */
export function expectsContinue({ headers: { expect }, httpVersion }: IncomingMessage): boolean {
  return expect !== undefined && httpVersion === '1.1' && /\b100-continue\b/i.test(expect);
}
