import { vi } from 'vitest';
import type { Choices } from '../../src/index.js';
import { openAppServer } from '../support/app-server.js';
import { createCheckedFetch } from '../support/checked-fetch.js';
import { limitMs } from '../support/limits.js';
import { labTime, partAt } from './lab.js';

/** A server that stores nothing until it is told to, so that requests are in progress for as long as a test likes. */
export interface HeldServer {
  /** Creates a deposit under a key; gives status and error, or the deposit's id. */
  createDeposit(key: string): Promise<string>;
  /** Resolves when `count` responses are ready and wait for the store. */
  answersReady(count: number): Promise<void>;
  store(): void;
  close(): Promise<void>;
}

export async function openHeldServer(choices: Choices): Promise<HeldServer> {
  let store = (): void => undefined;
  const stored = new Promise<void>((resolve) => {
    store = resolve;
  });
  const server = await openAppServer({ seed: 'empty', choices, now: labTime, append: () => stored });
  const settled = vi.spyOn(server.world.commits, 'settled');
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
    answersReady: (count) => vi.waitFor(() => expectWaiting(settled.mock.calls.length, count), { timeout: limitMs }),
    store,
    close: () => server.close(),
  };
}

function expectWaiting(actual: number, wanted: number): void {
  if (actual < wanted) throw new Error(`${actual} of ${wanted} answers wait for the store`);
}
