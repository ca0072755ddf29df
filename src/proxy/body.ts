import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { type Body, headerOf, type RawHeaders } from './exchange.js';

/** Up to how many bytes of a body are kept to be checked, on its way and unpacked. */
export const largestChecked = 1_000_000;

/** A body as JSON; `undefined` stands for an empty one. */
export type Reading =
  | { readonly value: unknown }
  | { readonly unread: string }
  /** Why it is no JSON. */
  | { readonly broken: string }
  | undefined;

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: largestChecked }),
  'x-gzip': (bytes) => gunzipSync(bytes, { maxOutputLength: largestChecked }),
  deflate: (bytes) => inflateSync(bytes, { maxOutputLength: largestChecked }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: largestChecked }),
  identity: (bytes) => bytes,
};

/** Reads a body as JSON, whatever its media type says. */
export function readBody(body: Body, headers: RawHeaders): Reading {
  if (body === 'too-large') return tooLarge;
  if (body === 'cut-off') return { unread: 'was broken off' };
  if (body.length === 0) return undefined;
  const codings = headerOf(headers, 'Content-Encoding')?.toLowerCase().split(',') ?? [];
  let bytes = body;
  for (const coding of codings.map((name) => name.trim()).reverse()) {
    const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
    if (!decode) return { unread: 'is encoded in a way that is not known here' };
    try {
      bytes = decode(bytes);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      return code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge : { broken: 'is not encoded as Content-Encoding says' };
    }
  }
  return parse(bytes);
}

const tooLarge = { unread: 'is larger than 1 MB' };
const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer): Reading {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { broken: 'is not UTF-8' };
  }
  if (text.trim() === '') return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    // The parser's message quotes the body.
    return { broken: 'is no JSON' };
  }
}
