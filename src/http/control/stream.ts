import { randomBytes } from 'node:crypto';
import { clearInterval, setInterval } from 'node:timers';
import type { Request, Response } from 'express';
import { endWithClient } from '../../lib/half-closed.js';
import type { Account } from '../../simulation/account.js';

interface Item {
  /** Unique among the items with the same `numberedBy`. */
  readonly id: string;
  /** Sent as JSON. */
  readonly data: unknown;
}

/** Where a stream gets its events from. */
export interface Feed {
  /** The name of the stream's events. */
  readonly event: string;
  /** The time after which a disconnected client should reconnect; by default, the client decides. */
  readonly retryMs?: number;
  /**
   * The object that numbers the items, such as a log. A reset or a restart replaces it, and the numbers start over. Each
   * object has its own prefix for event ids, so that an outdated id of a client that reconnects is recognized: the client
   * gets all items.
   */
  readonly numberedBy: object;
  /**
   * Returns the kept items that follow the item with this id, oldest first.
   * @param id undefined for all items
   */
  since(id: string | undefined): readonly Item[];
  /**
   * Pushes every new item once it is stored, until the returned function is called. Items that were waiting to be stored
   * may still be pushed after that.
   */
  watch(push: (item: Item) => void): () => void;
}

/** Handles a rejection of `whenStored()` in a feed: the change was undone, so its item is never sent. */
export function ignoreNotStored(): void {}

/** Parses an item id that is a sequence number. @returns undefined for anything else: no item has such an id */
export function sequenceOf(id: string | undefined): number | undefined {
  return id !== undefined && /^\d+$/.test(id) ? Number(id) : undefined;
}

/** Interval of the comment lines that keep proxies from closing an idle connection, in milliseconds. */
const heartbeatMs = 15_000;

/**
 * Maximum bytes of new events buffered for a client that does not read. A client that falls further behind is
 * disconnected, and can resume after the last event that it received.
 */
const maxBufferedBytes = 1_000_000;

/** The open streams of a server, which write feeds as server-sent events. */
export class Streams {
  readonly #stopping: AbortSignal;
  /** Functions that end the open streams. */
  readonly #endFunctions = new Set<() => void>();
  /** Prefixes of event ids by the object that numbers the items, so that the ids of a stream never repeat. */
  readonly #epochs = new WeakMap<object, string>();

  /** @param stopping aborted when the server stops, which ends all streams */
  constructor(stopping: AbortSignal) {
    this.#stopping = stopping;
    stopping.addEventListener('abort', () => {
      for (const end of this.#endFunctions) end();
    });
  }

  /** The id that clients get for an item of a feed. */
  eventIdOf(feed: Feed, itemId: string): string {
    return this.#idPrefixOf(feed) + itemId;
  }

  #idPrefixOf({ numberedBy }: Feed): string {
    const epoch = this.#epochs.get(numberedBy) ?? randomBytes(6).toString('hex');
    this.#epochs.set(numberedBy, epoch);
    return `${epoch}-`;
  }

  /**
   * Writes a feed as server-sent events until the client disconnects, the account is closed or the server stops.
   * @param since the id of the event to continue after, for a client that does not send one in `Last-Event-ID`
   * @throws ServiceError not-stored
   */
  async open(account: Account, feed: Feed, request: Request, response: Response, since?: string | null): Promise<void> {
    const lastEventId = request.get('Last-Event-ID') || since;
    const idPrefix = this.#idPrefixOf(feed);
    const lastItemId = lastEventId?.startsWith(idPrefix) ? lastEventId.slice(idPrefix.length) : undefined;
    const missed = lastEventId ? [...feed.since(lastItemId)] : [];
    // New items wait in `missed` until the response has begun.
    let push = (item: Item): void => void missed.push(item);
    let isOver = this.#stopping.aborted || request.method === 'HEAD';
    const cleanups: (() => void)[] = [];
    const end = (): void => {
      isOver = true;
      // A feed may push an item that waited to be stored; a write after the end would be an uncaught exception.
      push = () => undefined;
      this.#endFunctions.delete(end);
      for (const cleanUp of cleanups.splice(0)) cleanUp();
      if (response.headersSent) response.end();
    };
    this.#endFunctions.add(end);
    cleanups.push(
      feed.watch((item) => push(item)),
      account.onClose(end),
    );
    response.on('close', end);
    endWithClient(request.socket);
    try {
      // Missed items may not be stored yet.
      await account.whenStored();
    } catch (error) {
      end();
      throw error;
    }
    response.writeHead(200, {
      ...request.exchange.headers,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    if (isOver) {
      end();
      return;
    }
    const write = ({ id, data }: Item): void => {
      response.write(`id: ${idPrefix}${id}\nevent: ${feed.event}\ndata: ${JSON.stringify(data)}\n\n`);
    };
    // Written immediately, so that the client sees that the stream is open.
    response.write(feed.retryMs === undefined ? ': open\n\n' : `: open\nretry: ${feed.retryMs}\n\n`);
    for (const item of missed) write(item);
    // Missed items do not count: otherwise, the client would be disconnected each time it tries to catch up.
    const maxLength = response.writableLength + maxBufferedBytes;
    push = (item) => {
      write(item);
      if (response.writableLength > maxLength) response.destroy();
    };
    const heartbeat = setInterval(() => response.write(': still here\n\n'), heartbeatMs);
    cleanups.push(() => clearInterval(heartbeat));
  }
}
