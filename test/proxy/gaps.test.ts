import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ProxiedRequest } from '../../src/proxy/exchange.js';
import { gapCases } from '../gaps/cases/index.js';
import { closeServers } from '../gaps/lab.js';
import { sample } from '../support/sample.js';
import { checkerFor, lineOf } from './proxied.js';

/** Errors since the last call that the proxy would report without the profile. */
const errors = vi.hoisted((): string[] => []);

// Checks every exchange of these tests as the proxy does: no choice for a gap deviates from what is documented.
vi.mock('../support/checked-fetch.js', () => ({
  createCheckedFetch: () => async (input: string, init?: RequestInit) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const requested: ProxiedRequest = {
      method: request.method,
      path: pathname.replace(/^\/api\/v1/, ''),
      query: search.slice(1),
      headers: [...request.headers].flat(),
      body: Buffer.from(await request.clone().arrayBuffer()),
    };
    const response = await fetch(request);
    const answered = {
      status: response.status,
      headers: [...response.headers].flat(),
      body: Buffer.from(await response.clone().arrayBuffer()),
    };
    if (pathname.startsWith('/api/v1/')) {
      const deviations = await checkerFor({}).check(requested, answered);
      const found = deviations.filter(({ severity }) => severity === 'error');
      errors.push(...found.map((one) => `${one.operation} → ${one.status} ${lineOf(one)}`));
    }
    return response;
  },
}));

// Loads the validators first: loading blocks the event loop, and connections would time out.
const nothing = { headers: [], body: Buffer.alloc(0) };
beforeAll(() =>
  checkerFor({}).check({ method: 'GET', path: '/invoices', query: '', ...nothing }, { status: 200, ...nothing }),
);
afterAll(closeServers);

describe.each(sample(Object.entries(gapCases), 5))('%s', (id, { probe, values, expected: seen }) => {
  test.each(Object.keys(seen))('%s is not an error', async (choice) => {
    const value = values?.[choice];
    await probe({ [id]: value === undefined ? choice : { [choice]: value } });
    expect(errors.splice(0)).toEqual([]);
  });
});
