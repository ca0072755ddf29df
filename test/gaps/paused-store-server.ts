import { vi } from 'vitest';
import type { Choices } from '../../src/index.js';
import { openAppServer } from '../support/app-server.js';
import { createCheckedFetch } from '../support/checked-fetch.js';
import { hangTimeoutMs } from '../support/hang-timeout.js';
import { startTime, valueAt } from './test-account.js';

/** A server that stores nothing until the test allows it. Until then, requests that change data stay in progress. */
export interface ServerWithPausedStore {
  /** Creates a deposit with an idempotency key. @returns text such as `201 deposit 1`, or the status and the error */
  createDeposit(key: string): Promise<string>;
  /** Resolves when at least `count` responses are ready and wait for the store. */
  waitForReadyResponses(count: number): Promise<void>;
  /** Stores everything that waits, and everything from now on. */
  resumeStore(): void;
  close(): Promise<void>;
}

export async function openServerWithPausedStore(choices: Choices): Promise<ServerWithPausedStore> {
  let resumeStore = (): void => undefined;
  const stored = new Promise<void>((resolve) => {
    resumeStore = resolve;
  });
  const server = await openAppServer({ seed: 'empty', choices, now: startTime, append: () => stored });
  // Each response waits for this promise before it is sent.
  const whenStored = vi.spyOn(server.world.commits, 'whenStored');
  const checkedFetch = createCheckedFetch({ choices });

  return {
    async createDeposit(key) {
      const response = await checkedFetch(`${server.baseUrl}/deposits`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${server.tokens.full}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
        },
        body: '{"booking_reference":"BK-1","amount":100}',
      });
      const body: unknown = await response.json();
      return `${response.status} ${valueAt(body, 'error') ?? `deposit ${valueAt(body, 'data.id')}`}`;
    },
    waitForReadyResponses: (count) =>
      vi.waitFor(() => expectWaitingResponses(whenStored.mock.calls.length, count), { timeout: hangTimeoutMs }),
    resumeStore,
    close: () => server.close(),
  };
}

/** @throws Error if too few responses wait for the store */
function expectWaitingResponses(actual: number, expected: number): void {
  if (actual < expected) throw new Error(`${actual} of ${expected} responses wait for the store`);
}
