import { onTestFinished, vi } from 'vitest';
import { type RunningServer, type ServerSettings, startServer } from '../../../src/app/server.js';
import type { Fault } from '../../../src/domain/faults.js';
import { type NewFault, readFault } from '../../../src/faults/rule.js';
import { readSeed } from '../../../src/files/seed-file.js';
import type { Account } from '../../../src/simulation/account.js';
import { addFault } from '../../../src/simulation/faults/faults.js';
import { hangTimeoutMs } from '../../support/hang-timeout.js';

/** A simulator over a real socket, and its account from the inside. */
export interface FaultyService {
  readonly server: RunningServer;
  readonly baseUrl: string;
  readonly account: Account;
  /** Internal errors that the simulator reported. */
  readonly failures: string[];
  add(rule: NewFault): Fault;
  /** `fetch` below `/api/v1`, with the token. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Like `fetch`, with a JSON body, and an Idempotency-Key if one is given. */
  post(path: string, body: object, key?: string): Promise<Response>;
  /** The references of all deposits. */
  deposits(): Promise<string[]>;
  advance(milliseconds: number): Promise<void>;
}

export const headers = { Authorization: 'Bearer demo_full' };

/** Starts a simulator, whose clock is frozen, and ends it after the test. */
export async function startFaulty(settings: Partial<ServerSettings> & { seed?: never } = {}): Promise<FaultyService> {
  const failures: string[] = [];
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    allowedHosts: [],
    controlToken: undefined,
    folder: undefined,
    durability: 'os',
    choices: undefined,
    now: '2026-03-01T09:00:00Z',
    randomSeed: 'faults',
    rateLimit: false,
    log: (line) => failures.push(line),
    ...settings,
    seed: { ...(await readSeed('demo')), deposits: [] },
  });
  onTestFinished(() => server.close());
  const baseUrl = `${server.url}/api/v1`;
  const account = server.world.defaultAccount();
  const ask = (path: string, init: RequestInit = {}): Promise<Response> => {
    const all = new Headers(headers);
    for (const [name, value] of new Headers(init.headers)) all.set(name, value);
    return fetch(baseUrl + path, { ...init, headers: all });
  };
  return {
    server,
    baseUrl,
    account,
    failures,
    add: (rule) => addFault(account, readFault(rule)),
    fetch: ask,
    post: (path, body, key) =>
      ask(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(key === undefined ? {} : { 'Idempotency-Key': key }) },
        body: JSON.stringify(body),
      }),
    deposits: async () => account.deposits.rows.map(({ booking_reference }) => String(booking_reference)),
    advance: async (by) => void (await account.schedule.advance({ by, timeoutMs: 1_000 })),
  };
}

/** A deposit to be asked for. */
export const deposit = { booking_reference: 'BK-1', amount: 300 };

/** Code of the client's network error, or `a response` if there was none. */
export async function codeOf(answer: Promise<unknown>): Promise<string> {
  const error: unknown = await answer.then(
    () => 'an answer',
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) return String(error);
  const { cause = error } = error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : error.name;
}

/** Has got try what it would try again, POST as well, at once and not after the time that it would wait. */
export const again = {
  limit: 2,
  methods: ['GET' as const, 'POST' as const],
  calculateDelay: ({ computedValue }: { readonly computedValue: number }) => computedValue && 1,
};

/** Waits until something holds, on a machine that may be busy with other things. */
export async function eventually(assertion: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(assertion, { timeout: hangTimeoutMs });
}
