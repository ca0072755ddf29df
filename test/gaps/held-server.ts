import { vi } from 'vitest';
import type { Choices } from '../../src/index.js';
import { openAppServer } from '../support/app-server.js';
import { createCheckedFetch } from '../support/checked-fetch.js';
import { hangTimeoutMs } from '../support/hang-timeout.js';
import { partAt, startTime } from './lab.js';

/** A server that stores nothing until the test allows it, so that requests stay in progress. */
export interface ServerWithHeldStore {
  /** Creates a deposit under a key; gives status and error, or the deposit's id. */
  createDeposit(key: string): Promise<string>;
  /** Resolves when `count` responses are ready and wait for the store. */
  answersReady(count: number): Promise<void>;
  store(): void;
  close(): Promise<void>;
}

export async function openServerWithHeldStore(choices: Choices): Promise<ServerWithHeldStore> {
  let store = (): void => undefined;
  const stored = new Promise<void>((resolve) => {
    store = resolve;
  });
  const server = await openAppServer({ seed: 'empty', choices, now: startTime, append: () => stored });
  const settled = vi.spyOn(server.world.commits, 'whenStored');
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
      return `${response.status} ${partAt(body, 'error') ?? `deposit ${partAt(body, 'data.id')}`}`;
    },
    answersReady: (count) =>
      vi.waitFor(() => expectWaiting(settled.mock.calls.length, count), { timeout: hangTimeoutMs }),
    store,
    close: () => server.close(),
  };
}

function expectWaiting(actual: number, expected: number): void {
  if (actual < expected) throw new Error(`${actual} of ${expected} answers wait for the store`);
}
