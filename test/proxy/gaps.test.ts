import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ProxiedRequest } from '../../src/proxy/exchange.js';
import { gapCases } from '../gaps/cases/index.js';
import { closeServers } from '../gaps/test-account.js';
import { sample } from '../support/sample.js';
import { checkerFor, formatDeviation } from './test-proxy.js';

/** Errors that a proxy without the profile reports about the exchanges of a test. */
const errors = vi.hoisted((): string[] => []);

// Checks every exchange as the proxy does, since no choice for a gap may deviate from the document.
vi.mock('../support/checked-fetch.js', () => ({
  createCheckedFetch: () => async (input: string, init?: RequestInit) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const proxiedRequest: ProxiedRequest = {
      method: request.method,
      path: pathname.replace(/^\/api\/v1/, ''),
      query: search.slice(1),
      headers: [...request.headers].flat(),
      body: Buffer.from(await request.clone().arrayBuffer()),
    };
    const response = await fetch(request);
    const proxiedResponse = {
      status: response.status,
      headers: [...response.headers].flat(),
      body: Buffer.from(await response.clone().arrayBuffer()),
    };
    if (pathname.startsWith('/api/v1/')) {
      const deviations = await checkerFor({}).check(proxiedRequest, proxiedResponse);
      const newErrors = deviations.filter(({ severity }) => severity === 'error');
      errors.push(...newErrors.map((error) => `${error.operation} → ${error.status} ${formatDeviation(error)}`));
    }
    return response;
  },
}));

// Loads the validators before the tests: loading blocks the event loop so long that connections would time out.
const emptyMessage = { headers: [], body: Buffer.alloc(0) };
beforeAll(() =>
  checkerFor({}).check(
    { method: 'GET', path: '/invoices', query: '', ...emptyMessage },
    { status: 200, ...emptyMessage },
  ),
);
afterAll(closeServers);

describe.each(sample(Object.entries(gapCases), 5))('the gap %s', (id, { probe, choiceValues, expected }) => {
  test.each(Object.keys(expected))('with the choice %s causes no error', async (choice) => {
    const value = choiceValues?.[choice];
    await probe({ [id]: value === undefined ? choice : { [choice]: value } });
    expect(errors.splice(0)).toEqual([]);
  });
});
