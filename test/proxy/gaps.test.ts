import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gapCases } from '../gaps/cases/index.js';
import { closeServers } from '../gaps/test-account.js';
import { exchangeObservers } from '../support/checked-fetch.js';
import { sampleUnlessFull } from '../support/sample.js';
import { checkerFor, formatDeviation } from './test-proxy.js';

/*
 * A gap is a question that the specification leaves open, and a profile has a choice for each gap. `gapCases` has a
 * probe for each gap, which sends requests to a simulator whose profile has one of the choices.
 */

/** Errors that a proxy without the profile reports about the exchanges of a test. */
const errors: string[] = [];
let checkedCount = 0;

/**
 * Checks an exchange the way a proxy does if it does not know the choices of the service. Such a proxy must permit every
 * choice for a gap.
 */
async function checkAsProxy(request: Request, response: Response): Promise<void> {
  const { pathname, search } = new URL(request.url);
  const deviations = await checkerFor({}).check(
    {
      method: request.method,
      path: pathname.replace(/^\/api\/v1/, ''),
      query: search.slice(1),
      headers: [...request.headers].flat(),
      body: Buffer.from(await request.arrayBuffer()),
    },
    {
      status: response.status,
      headers: [...response.headers].flat(),
      body: Buffer.from(await response.arrayBuffer()),
    },
  );
  checkedCount += 1;
  const newErrors = deviations.filter(({ severity }) => severity === 'error');
  errors.push(...newErrors.map((error) => `${error.operation} → ${error.status} ${formatDeviation(error)}`));
}

beforeAll(() => void exchangeObservers.add(checkAsProxy));
afterAll(() => void exchangeObservers.delete(checkAsProxy));

// Loads the validators before the tests: loading blocks the event loop long enough for connections to time out.
const emptyMessage = { headers: [], body: Buffer.alloc(0) };
beforeAll(() =>
  checkerFor({}).check(
    { method: 'GET', path: '/invoices', query: '', ...emptyMessage },
    { status: 200, ...emptyMessage },
  ),
);
afterAll(closeServers);

/** Gaps whose probes send no requests to the service: they call the control API, or receive webhooks. */
const gapsWithoutRequests = [
  'invoice.transitions',
  'payment.transitions',
  'event.payment-signature',
  'event.digest',
  'event.invoice-payment',
];
const testedGaps = Object.entries(gapCases).filter(([id]) => !gapsWithoutRequests.includes(id));

describe.each(sampleUnlessFull(testedGaps, { oneIn: 16 }))('the gap %s', (id, { probe, choiceValues, expected }) => {
  test.each(Object.keys(expected))('with the choice %s causes no error', async (choice) => {
    const value = choiceValues?.[choice];
    checkedCount = 0;
    await probe({ [id]: value === undefined ? choice : { [choice]: value } });
    expect(errors.splice(0)).toEqual([]);
    expect(checkedCount).toBeGreaterThan(0);
  });
});
