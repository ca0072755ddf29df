import { onTestFinished, vi } from 'vitest';
import { type RunningServer, type ServerSettings, startServer } from '../../../src/app/server.js';
import type { Fault } from '../../../src/domain/faults.js';
import { type NewFault, readFault } from '../../../src/faults/rule.js';
import { readSeed } from '../../../src/files/seed-file.js';
import type { Account } from '../../../src/simulation/account.js';
import { addFault } from '../../../src/simulation/faults/faults.js';
import { hangTimeoutMs } from '../../support/hang-timeout.js';

/** A simulator that listens on a socket, and direct access to its account. */
export interface TestService {
  readonly server: RunningServer;
  readonly baseUrl: string;
  readonly account: Account;
  /** Internal errors that the simulator has logged. */
  readonly internalErrors: string[];
  addFault(fault: NewFault): Fault;
  /** `fetch` for a path below `/api/v1`, with the `demo_full` token unless `init` has another. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Like `fetch`, as a POST with a JSON body. */
  post(path: string, body: object, idempotencyKey?: string): Promise<Response>;
  /** Booking references of all deposits. */
  bookingReferences(): string[];
  /** Advances the account's clock. */
  advanceMs(milliseconds: number): Promise<void>;
}

export const headers = { Authorization: 'Bearer demo_full' };

/** Starts a simulator with a frozen clock, and the `demo` seed without its deposits. It stops after the test. */
export async function startTestService(
  settings: Partial<ServerSettings> & { seed?: never; log?: never } = {},
): Promise<TestService> {
  const internalErrors: string[] = [];
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
    log: (line) => internalErrors.push(line),
    ...settings,
    seed: async () => ({ ...(await readSeed('demo')), deposits: [] }),
  });
  onTestFinished(() => server.close());
  const baseUrl = `${server.url}/api/v1`;
  const account = server.world.accounts.default();
  const fetchWithToken = (path: string, init: RequestInit = {}): Promise<Response> => {
    const allHeaders = new Headers(headers);
    for (const [name, value] of new Headers(init.headers)) allHeaders.set(name, value);
    return fetch(baseUrl + path, { ...init, headers: allHeaders });
  };
  return {
    server,
    baseUrl,
    account,
    internalErrors,
    addFault: (fault) => addFault(account, readFault(fault)),
    fetch: fetchWithToken,
    post: (path, body, idempotencyKey) =>
      fetchWithToken(path, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        },
        body: JSON.stringify(body),
      }),
    bookingReferences: () => account.deposits.rows.map(({ booking_reference }) => String(booking_reference)),
    advanceMs: async (milliseconds) => void (await account.schedule.advance({ by: milliseconds, timeoutMs: 1_000 })),
  };
}

/** Body of a request that creates a deposit. */
export const deposit = { booking_reference: 'BK-1', amount: 300 };

/**
 * Code of the error that a request or a read fails with, or of its cause; the name of the error if there is no code;
 * `no error` on success.
 */
export async function errorCodeOf(result: Promise<unknown>): Promise<string> {
  const error: unknown = await result.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) return String(error);
  const { cause = error } = error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : error.name;
}

/** Retry options of got: up to two retries of GET and POST, after a millisecond. A computed value of 0 stops them. */
export const immediateRetries = {
  limit: 2,
  methods: ['GET' as const, 'POST' as const],
  calculateDelay: ({ computedValue }: { readonly computedValue: number }) => computedValue && 1,
};

/** Repeats an assertion until it passes, for as long as a busy machine may need. */
export async function eventually(assertion: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(assertion, { timeout: hangTimeoutMs });
}
