/** Bytes that are kept for all accounts of a simulator. */
const defaultCapacity = 32_000_000;

/** Bytes that are kept of a body. */
export const maxBodySize = 64_000;

/** A body in the ring, or its beginning. */
export interface CapturedBody {
  /** Bytes written to the ring before it. */
  readonly start: number;
  /** Bytes that are kept. */
  readonly size: number;
  /** Bytes of the whole body. */
  readonly wholeSize: number;
}

/**
 * Bodies of requests and responses, in one piece of memory outside of the heap: a new body overwrites the oldest ones.
 * Strings that are kept for a while cost more, since the garbage collector copies them.
 */
export class BodyRing {
  readonly #capacity: number;
  #bytes: Buffer | undefined;
  /** Bytes written so far, with those skipped at the end of the memory. */
  #written = 0;

  constructor(capacity = defaultCapacity) {
    this.#capacity = capacity;
  }

  /** @param wholeSize size of the text as UTF-8, in bytes */
  add(text: string, wholeSize: number): CapturedBody {
    // The operating system provides the memory as it is written.
    this.#bytes ??= Buffer.allocUnsafeSlow(this.#capacity);
    const maxBytes = Math.min(wholeSize, maxBodySize);
    const bytesToEnd = this.#capacity - (this.#written % this.#capacity);
    if (bytesToEnd < maxBytes) this.#written += bytesToEnd;
    const start = this.#written;
    const offset = start % this.#capacity;
    // Latin-1 is copied as it is, and the same as UTF-8 for ASCII.
    const size = this.#bytes.write(text, offset, maxBytes, wholeSize === text.length ? 'latin1' : 'utf8');
    this.#written += size;
    return { start, size, wholeSize };
  }

  /** Returns the text of a body; null if it has been overwritten. */
  read({ start, size }: CapturedBody): string | null {
    if (!this.#bytes || this.#written - start > this.#capacity) return null;
    const offset = start % this.#capacity;
    return this.#bytes.toString('utf8', offset, offset + size);
  }
}
