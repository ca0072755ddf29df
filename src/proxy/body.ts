import { TextDecoder } from 'node:util';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { appliedTransferCodings } from '../lib/end-to-end-headers.js';
import { errorCode } from '../lib/errors.js';
import { parseJson } from '../lib/json.js';
import { type Body, headerOf, type RawHeaders } from './exchange.js';

/** Maximum size of a body to check, in bytes, both as sent and decompressed. */
export const maxCheckedBytes = 1_000_000;

interface ParsedBody {
  /** Content of the body, with only the first thousand items of longer lists. */
  readonly value: unknown;
  readonly isTruncated: boolean;
}

/** Result of parsing a body as JSON; undefined for a body that is empty or only whitespace. */
export type BodyParseResult =
  | ParsedBody
  /** The reason why the body cannot be checked: the end of a sentence about the body, such as `is larger than 1 MB`. */
  | { readonly unreadReason: string }
  /** The reason why the body is not valid JSON: the end of a sentence about the body, such as `is not UTF-8`. */
  | { readonly invalidReason: string }
  | undefined;

/** Decoders by content coding, in lower case. They refuse to produce more than can be checked. */
const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: maxCheckedBytes }),
  'x-gzip': (bytes) => gunzipSync(bytes, { maxOutputLength: maxCheckedBytes }),
  deflate: (bytes) => inflateSync(bytes, { maxOutputLength: maxCheckedBytes }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: maxCheckedBytes }),
  identity: (bytes) => bytes,
};

/** Returns the parsed body; undefined if there is none, or it could not be read or parsed. */
export function parsedBody(parseResult: BodyParseResult): ParsedBody | undefined {
  return parseResult && 'value' in parseResult ? parseResult : undefined;
}

/** Parses the body of a request as JSON, even if its media type is not JSON. A byte order mark is ignored. */
export function parseRequestBody(body: Body, headers: RawHeaders): BodyParseResult {
  return parseBody(body, headers, utf8);
}

/**
 * Parses the body of a response as JSON, even if its media type is not JSON. Many clients cannot parse a response that
 * begins with a byte order mark, and JSON (RFC 8259) does not allow one.
 */
export function parseResponseBody(body: Body, headers: RawHeaders): BodyParseResult {
  return parseBody(body, headers, utf8WithMark);
}

function parseBody(body: Body, headers: RawHeaders, decoder: TextDecoder): BodyParseResult {
  if (body === 'too-large') return tooLarge;
  if (body === 'cut-off') return { unreadReason: 'was incomplete' };
  if (body.length === 0) return undefined;
  const codings = [
    ...(headerOf(headers, 'Content-Encoding')?.split(',') ?? []),
    ...appliedTransferCodings(headerOf(headers, 'Transfer-Encoding')),
  ];
  let bytes = body;
  for (const coding of codings.map((name) => name.trim().toLowerCase()).reverse()) {
    if (coding === '') continue;
    const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
    if (!decode) return { unreadReason: 'has an unsupported Content-Encoding' };
    try {
      bytes = decode(bytes);
    } catch (error) {
      return errorCode(error) === 'ERR_BUFFER_TOO_LARGE'
        ? tooLarge
        : { invalidReason: 'does not match its Content-Encoding' };
    }
  }
  return parseBytes(bytes, decoder);
}

const tooLarge = { unreadReason: 'is larger than 1 MB' };
const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Decodes a byte order mark as a character. */
const utf8WithMark = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseBytes(bytes: Buffer, decoder: TextDecoder): BodyParseResult {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { invalidReason: 'is not UTF-8' };
  }
  if (text.startsWith('\uFEFF')) return { invalidReason: 'begins with a byte order mark' };
  if (/^[ \t\n\r]*$/.test(text)) return undefined;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // The parser's message is not used: it quotes the body, which may contain secrets.
    return { invalidReason: 'is not valid JSON' };
  }
  return { value, isTruncated: truncateLists(value) };
}

/**
 * Maximum number of items of a list to check: 1 MB can contain half a million invalid ones, and each would be reported.
 */
const maxListItems = 1_000;

/** Truncates long lists, in place. @returns true if there were any */
function truncateLists(value: unknown): boolean {
  let isTruncated = false;
  // No recursion, which would overflow the stack: lists may be nested a hundred thousand levels deep.
  const remaining = [value];
  for (let part = remaining.pop(); part !== undefined; part = remaining.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    if (Array.isArray(part) && part.length > maxListItems) {
      part.length = maxListItems;
      isTruncated = true;
    }
    for (const inner of Object.values(part)) if (typeof inner === 'object') remaining.push(inner);
  }
  return isTruncated;
}
