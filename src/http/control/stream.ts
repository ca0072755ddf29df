import type { Request, Response } from 'express';
import type { Account } from '../../simulation/account.js';

interface Item {
  readonly id: string;
  /** What is told as JSON. */
  readonly data: unknown;
}

/** What a stream tells of. */
export interface Feed {
  /** What its events are called. */
  readonly event: string;
  /** How long a client is to wait before it connects again; left out, as long as it likes. */
  readonly retryMs?: number;
  /** What is known of what came after the item of this id, oldest first. */
  since(id: string): readonly Item[];
  /** Tells of every item from now on, once it is stored, until the returned function is called. */
  watch(tell: (item: Item) => void): () => void;
}

export interface Streams {
  /** Writes a feed as server-sent events until the client goes, the account is closed or the server stops. @throws ServiceError not-stored */
  open(account: Account, feed: Feed, request: Request, response: Response): Promise<void>;
}

/** How often a line is sent that says nothing, so that nobody on the way takes the connection for dead, in milliseconds. */
const heartbeat = 15_000;

/** What may wait for a client that does not read, in bytes; it is let go then, and may come again with its last id. */
const mostWaiting = 1_000_000;

/** @param stopping aborted when the server stops, which would wait for streams otherwise */
export function createStreams(stopping: AbortSignal): Streams {
  const open = new Set<() => void>();
  stopping.addEventListener('abort', () => {
    for (const end of open) end();
  });

  return {
    async open(account, feed, request, response) {
      const lastId = request.get('Last-Event-ID');
      const missed = lastId ? [...feed.since(lastId)] : [];
      let tell = (item: Item): void => void missed.push(item);
      let isOver = stopping.aborted || request.method === 'HEAD';
      const undo: (() => void)[] = [];
      const end = (): void => {
        isOver = true;
        open.delete(end);
        for (const step of undo.splice(0)) step();
        if (response.headersSent) response.end();
      };
      open.add(end);
      undo.push(
        feed.watch((item) => tell(item)),
        account.onClose(end),
      );
      response.on('close', end);
      try {
        // What was missed may be on its way to the store still.
        await account.stored();
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
      tell = ({ id, data }) => {
        response.write(`id: ${id}\nevent: ${feed.event}\ndata: ${JSON.stringify(data)}\n\n`);
        if (response.writableLength > mostWaiting) response.destroy();
      };
      // A first line, so that the client knows at once that it is listened to.
      response.write(feed.retryMs === undefined ? ': open\n\n' : `: open\nretry: ${feed.retryMs}\n\n`);
      for (const item of missed) tell(item);
      const beat = setInterval(() => response.write(': still here\n\n'), heartbeat);
      undo.push(() => clearInterval(beat));
    },
  };
}
