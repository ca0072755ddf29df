import { countRequest, type RateState } from '../../../src/domain/rate-window.js';
import type { Choices } from '../../../src/index.js';
import { resolveProfile } from '../../../src/openapi/profile.js';
import {
  type Client,
  type GapCases,
  openAccount,
  openDefaultAccount,
  type ResponseSummary,
  startTime,
} from '../test-account.js';

/** Sends the 100 requests that a rate window allows, and one more. @returns the last response */
async function exceedRateLimit(client: Client): Promise<ResponseSummary> {
  for (let used = 0; used < 100; used++) await client.get('/invoices/stats');
  return client.get('/invoices/stats');
}

/**
 * Counts a request at each of these seconds.
 * @returns after each, text such as `99 of 100 until 60`: the remaining requests, the limit and the second of the reset
 */
function countRequestsAt(choices: Choices, seconds: readonly number[]): string[] {
  const profile = resolveProfile(choices);
  let state: RateState | undefined;
  return seconds.map((second) => {
    const counted = countRequest(state, profile, second * 1000);
    state = counted.state;
    const { limit, remaining, resetAt } = counted.report;
    return `${remaining} of ${limit} until ${resetAt / 1000}`;
  });
}

/** Tests of gaps (questions that the specification leaves open) about the rate limit. */
export const rate: GapCases = {
  'rate.exceeded': {
    async probe(choices) {
      const { status, error, header } = await exceedRateLimit(await openAccount(choices));
      return [status, error, header('Retry-After'), header('X-RateLimit-Remaining')];
    },
    expected: { '429': [429, 'Too Many Attempts.', '60', '0'], '403': [403, 'Too Many Attempts.', '60', '0'] },
  },

  'rate.key': {
    async probe(choices) {
      const client = await openDefaultAccount(choices);
      const remaining: (string | null)[] = [];
      // Requests without a token are counted per address under every choice.
      for (const token of ['full', 'read', 'none'] as const) {
        const response = await client.get('/invoices/stats', { token });
        remaining.push(response.header('X-RateLimit-Remaining'));
      }
      return remaining;
    },
    expected: { token: ['99', '99', '99'], account: ['99', '98', '99'], address: ['99', '98', '97'] },
  },

  'rate.window': {
    async probe(choices) {
      const response = await (await openAccount(choices)).get('/invoices/stats');
      const secondsLeft = Number(response.header('X-RateLimit-Reset')) - Date.parse(startTime) / 1000;
      return { secondsLeft, windows: countRequestsAt(choices, [0, 30, 61, 200]) };
    },
    expected: {
      fixed: {
        secondsLeft: 60,
        windows: ['99 of 100 until 60', '98 of 100 until 60', '99 of 100 until 121', '99 of 100 until 260'],
      },
      sliding: {
        secondsLeft: 60,
        windows: ['99 of 100 until 60', '98 of 100 until 60', '98 of 100 until 90', '99 of 100 until 260'],
      },
      bucket: {
        secondsLeft: 1,
        windows: ['99 of 100 until 1', '99 of 100 until 31', '99 of 100 until 62', '99 of 100 until 201'],
      },
    },
  },

  'rate.burst': {
    async probe(choices) {
      const firstResponse = await (await openAccount(choices)).get('/invoices/stats');
      // 61 requests exceed the standard limit of 60 a minute; the last request begins the next window.
      const busySeconds = [...Array<number>(61).fill(0), 60];
      return [firstResponse.header('X-RateLimit-Limit'), countRequestsAt(choices, busySeconds).at(-1)];
    },
    expected: {
      'after-calm': ['100', '59 of 60 until 120'],
      never: ['60', '59 of 60 until 120'],
      always: ['100', '99 of 100 until 120'],
    },
  },

  'rate.reset-unit': {
    async probe(choices) {
      const response = await (await openAccount(choices)).get('/invoices/stats');
      return response.header('X-RateLimit-Reset');
    },
    expected: { 'epoch-seconds': '1772355660', 'seconds-left': '60', iso: '2026-03-01T09:01:00+00:00' },
  },

  'rate.unauthenticated': {
    async probe(choices) {
      const client = await openDefaultAccount(choices);
      const first = await client.get('/invoices', { token: 'made-up' });
      const second = await client.get('/invoices', { token: 'none' });
      return [first.header('X-RateLimit-Remaining'), second.header('X-RateLimit-Remaining')];
    },
    expected: { 'by-address': ['99', '98'], uncounted: ['100', '100'] },
  },
};
