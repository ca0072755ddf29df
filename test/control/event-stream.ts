import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';

interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** An open stream of server-sent events. It is closed when the test ends. */
export interface EventStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Events received so far. */
  readonly events: readonly StreamEvent[];
  /** Comments received so far, without their colons. */
  readonly comments: readonly string[];
  /** Resolves to all events received so far, once there are at least `count`. */
  waitForEvents(count: number): Promise<readonly StreamEvent[]>;
  /** Resolves when the stream is closed, by either side. */
  readonly ended: Promise<void>;
  /** Stops reading until `resume` is called. */
  pause(): void;
  resume(): void;
  close(): void;
}

export async function openEventStream(url: string, headers: Record<string, string> = {}): Promise<EventStream> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { Accept: 'text/event-stream', ...headers }, agent: false }, resolve).on('error', reject);
  });
  onTestFinished(() => void response.destroy());
  const events: StreamEvent[] = [];
  const comments: string[] = [];
  const waiters: { readonly count: number; readonly resolve: () => void }[] = [];
  let incompleteBlock = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (incompleteBlock + text).split('\n\n');
    incompleteBlock = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith(':')) comments.push(block.slice(1).trim());
      else events.push(parseEvent(block));
    }
    for (const { resolve } of waiters.filter(({ count }) => events.length >= count)) resolve();
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    comments,
    async waitForEvents(count) {
      if (events.length < count) await new Promise<void>((resolve) => waiters.push({ count, resolve }));
      return events;
    },
    ended: new Promise((resolve) => response.on('close', () => resolve()).on('error', () => resolve())),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void response.destroy(),
  };
}

function parseEvent(block: string): StreamEvent {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  return {
    id: fields.get('id') ?? '',
    event: fields.get('event') ?? '',
    data: JSON.parse(fields.get('data') ?? 'null'),
  };
}
