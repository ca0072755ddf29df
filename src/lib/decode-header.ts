import { isUtf8 } from 'node:buffer';

/** Decodes a header value. Node decodes it as Latin-1, but most clients send UTF-8; other bytes stay Latin-1. */
export function decodeHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
