import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ProxiedRequest } from '../../src/proxy/exchange.js';
import { gapCases } from '../gaps/cases/index.js';
import { closeLab } from '../gaps/lab.js';
import { sample } from '../support/sample.js';
import { judgeOf, lineOf } from './proxied.js';

/** Errors since the last call that the proxy would report without the profile. */
const errors = vi.hoisted((): string[] => []);

// The clients of the lab ask through a judge: no choice for a gap departs from what is documented.
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
      const departures = await judgeOf({}).judge(requested, answered);
      const found = departures.filter(({ severity }) => severity === 'error');
      errors.push(...found.map((one) => `${one.operation} → ${one.status} ${lineOf(one)}`));
    }
    return response;
  },
}));

// Loading what judges stops everything else for a moment, which no connection is to wait for.
const nothing = { headers: [], body: Buffer.alloc(0) };
beforeAll(() =>
  judgeOf({}).judge({ method: 'GET', path: '/invoices', query: '', ...nothing }, { status: 200, ...nothing }),
);
afterAll(closeLab);

describe.each(sample(Object.entries(gapCases), 5))('%s', (id, { probe, values, seen }) => {
  test.each(Object.keys(seen))('%s is no error', async (choice) => {
    const value = values?.[choice];
    await probe({ [id]: value === undefined ? choice : { [choice]: value } });
    expect(errors.splice(0)).toEqual([]);
  });
});
