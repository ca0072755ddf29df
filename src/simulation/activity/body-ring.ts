/** Size of the ring, which all accounts of a simulator share. */
const defaultCapacityBytes = 32_000_000;

/** A longer body is cut off after this many bytes. */
export const maxCapturedBytes = 64_000;

/** A body in the ring, or its beginning. */
export interface CapturedBody {
  /** Number of bytes written to the ring before this body. */
  readonly start: number;
  /** Number of bytes in the ring. */
  readonly size: number;
  /** Number of bytes of the whole body. */
  readonly wholeSize: number;
}

/**
 * Bodies of requests and responses, in one buffer outside of the JavaScript heap: a new body overwrites the oldest
 * ones. Strings would cost more, since the garbage collector copies those that live for a while.
 */
export class BodyRing {
  readonly #capacityBytes: number;
  #bytes: Buffer | undefined;
  /** Number of bytes written so far, including those skipped at the end of the buffer. */
  #written = 0;

  constructor(capacityBytes = defaultCapacityBytes) {
    this.#capacityBytes = capacityBytes;
  }

  /** Copies a body, or its beginning, into the ring. @param wholeSize size of the text as UTF-8, in bytes */
  add(text: string, wholeSize: number): CapturedBody {
    // The operating system only provides the memory that is written to.
    this.#bytes ??= Buffer.allocUnsafeSlow(this.#capacityBytes);
    const maxBytes = Math.min(wholeSize, maxCapturedBytes);
    const bytesToEnd = this.#capacityBytes - (this.#written % this.#capacityBytes);
    if (bytesToEnd < maxBytes) this.#written += bytesToEnd;
    const start = this.#written;
    const offset = start % this.#capacityBytes;
    // For ASCII, Latin-1 and UTF-8 are the same, and Latin-1 is faster.
    const size = this.#bytes.write(text, offset, maxBytes, wholeSize === text.length ? 'latin1' : 'utf8');
    this.#written += size;
    return { start, size, wholeSize };
  }

  /** Returns the text of a body; null if it has been overwritten. */
  read({ start, size }: CapturedBody): string | null {
    if (!this.#bytes || this.#written - start > this.#capacityBytes) return null;
    const offset = start % this.#capacityBytes;
    return this.#bytes.toString('utf8', offset, offset + size);
  }
}
