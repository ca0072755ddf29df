import { StringDecoder } from 'node:string_decoder';
import { type ErrorCode, type FieldViolation, ServiceError } from '../../domain/service-error.js';
import { Ring } from '../../lib/queues.js';
import type { Profile } from '../../openapi/profile.js';

/** A request that has ended, with or without a response. Its path contains no credentials; its headers may. */
export interface LoggedRequest {
  /** Sequence number, shared with the activity log. */
  readonly sequence: number;
  readonly id: string;
  /** When it arrived: milliseconds since 1970 on the account's clock. */
  readonly at: number;
  readonly method: string;
  /** Path with query. Values that may be secrets are masked. */
  readonly path: string;
  readonly operation: string | null;
  /** Name of the token, not its value. */
  readonly token: string | null;
  /** Status of the response; null if none was sent. */
  readonly status: number | null;
  /** The `error` in the body of the response; null if there is none. */
  readonly error: string | null;
  /** Names of the applied fault effects. */
  readonly faults: readonly string[];
  /** Duration in real time. */
  readonly milliseconds: number;
  /** The account's profile during the request. The account may have another one by now. */
  readonly profile: Profile;
  /** Why the request was refused; null if it was not. */
  readonly errorDetails: ErrorDetails | null;
  readonly recorded: RecordedExchange;
}

/** Error of a refused request, before faults changed the response. */
export interface ErrorDetails {
  readonly code: ErrorCode;
  readonly violations: readonly FieldViolation[];
  readonly hint: string | undefined;
}

/**
 * Headers and bodies of a request and its response as they were sent. They may contain credentials, which pages must
 * mask.
 */
export interface RecordedExchange {
  /** Path with query, as it was sent. */
  readonly target: string;
  /** Names and values, alternating. */
  readonly requestHeaders: readonly string[];
  /** Null if the body was not read. */
  readonly requestBody: RecordedBody | null;
  readonly responseHeaders: Readonly<Record<string, string | number>>;
  /** Null if no response was sent. */
  readonly responseBody: RecordedBody | null;
}

/** Maximum number of requests in the log of an account. */
const maxLoggedRequests = 1_000;

/** Latest requests of an account, in memory. */
export class RequestLog {
  readonly #requests = new Ring<LoggedRequest>(maxLoggedRequests);
  readonly #watchers = new Set<(request: LoggedRequest) => void>();

  add(request: LoggedRequest): void {
    this.#requests.add(request);
    for (const watcher of this.#watchers) watcher(request);
  }

  /** Sequence number of the latest request that has been dropped; 0 if none has. */
  get droppedUpTo(): number {
    return this.#requests.lastDropped?.sequence ?? 0;
  }

  /** Calls back with every request, until the returned function is called. */
  watch(watcher: (request: LoggedRequest) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Number of requests in the log. */
  get size(): number {
    return this.#requests.size;
  }

  /** All requests in the log, newest first. */
  newestFirst(): LoggedRequest[] {
    return this.#requests.items().reverse();
  }

  /** @throws ServiceError request-not-found */
  get(id: string): LoggedRequest {
    const request = this.#requests.items().find((candidate) => candidate.id === id);
    if (request) return request;
    throw new ServiceError('request-not-found', {
      hint: `the log contains only the last ${maxLoggedRequests} requests`,
    });
  }
}

/** Size of the ring, which all accounts of a simulator share. */
const capacityBytes = 32_000_000;

/** Size of the blocks of the ring, each of which has room for 25 of the longest bodies. */
const blockBytes = 1_600_000;

/** A longer body is cut off after this many bytes. */
export const maxRecordedBytes = 64_000;

/** Where a `BodyRing` holds a body, or its first `maxRecordedBytes` bytes. */
export interface RecordedBody {
  /** Number of bytes written to the ring before this body. */
  readonly start: number;
  /** Number of bytes of this body that are in the ring. */
  readonly size: number;
  /** Number of bytes of the whole body. */
  readonly wholeSize: number;
}

/**
 * Bodies of requests and responses, in buffers outside of the JavaScript heap. Once they are full, a new body
 * overwrites the oldest ones. Strings would cost more, since the garbage collector copies those that live for a while.
 */
export class BodyRing {
  /** Allocated when they are first written to, since V8 collects all garbage after each 64 MB of buffers. */
  readonly #blocks: Buffer[] = [];
  /** Number of bytes written so far, including those skipped at the ends of blocks. */
  #written = 0;

  /**
   * Copies a body, or its beginning, into the ring.
   * @param body text, or its bytes in UTF-8
   * @param wholeSize size in bytes
   */
  add(body: string | Buffer, wholeSize: number): RecordedBody {
    const maxBytes = Math.min(wholeSize, maxRecordedBytes);
    const bytesToEnd = blockBytes - (this.#written % blockBytes);
    if (bytesToEnd < maxBytes) this.#written += bytesToEnd;
    const start = this.#written;
    const index = blockIndexOf(start);
    this.#blocks[index] ??= Buffer.allocUnsafeSlow(blockBytes);
    const block = this.#blocks[index];
    const offset = start % blockBytes;
    // A text with as many bytes as characters is ASCII, for which Latin-1 and UTF-8 are the same, and Latin-1 is
    // faster.
    const encoding = wholeSize === body.length ? 'latin1' : 'utf8';
    const size =
      typeof body === 'string' ? block.write(body, offset, maxBytes, encoding) : body.copy(block, offset, 0, maxBytes);
    this.#written += size;
    return { start, size, wholeSize };
  }

  /** Returns the text of a body; null if it has been overwritten. */
  read({ start, size }: RecordedBody): string | null {
    if (this.#written - start > capacityBytes) return null;
    const offset = start % blockBytes;
    const bytes = this.#blocks[blockIndexOf(start)]?.subarray(offset, offset + size);
    // Leaves out the last character if only a part of it is in the ring.
    return bytes === undefined ? null : new StringDecoder().write(bytes);
  }
}

/** @param position as `RecordedBody.start` */
function blockIndexOf(position: number): number {
  return Math.floor((position % capacityBytes) / blockBytes);
}
