import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';

/** Responses to URLs that do not exist. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
  await sim.createAccount({ id: 'hotel', seed: 'demo', rateLimit: false });
});

afterAll(() => sim.close());

const browserHeaders = ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'];

const linksOf = (html: string): string[] =>
  [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href).filter((href) => href !== '');

test.each([
  ['/nothing', ['/dashboard', '/docs']],
  ['/docs/nothing', ['/dashboard', '/docs']],
  ['/constructor/8', ['/dashboard', '/docs']],
  ['/dashboard/nobody', ['/dashboard']],
  ['/dashboard/nobody/invoices', ['/dashboard']],
  ['/dashboard/deposits', ['/dashboard/demo/deposits', '/dashboard/demo']],
  ['/dashboard/deposits/8', ['/dashboard/demo/deposits', '/dashboard/demo']],
  ['/dashboard/hotel/nothing', ['/dashboard/hotel']],
  ['/dashboard/hotel/invoices/999', ['/dashboard/hotel/invoices', '/dashboard/hotel']],
  ['/dashboard/hotel/requests/req_0', ['/dashboard/hotel/requests', '/dashboard/hotel']],
  ['/pay/nothing', ['/dashboard/demo/payment-links', '/dashboard/demo']],
  ['/pay/hotel/nothing', ['/dashboard/hotel/payment-links', '/dashboard/hotel']],
  ['/pay/hotel/inv_999', ['/dashboard/hotel/payment-links', '/dashboard/hotel']],
  ['/pay/nobody/nothing', ['/dashboard']],
  ['/pay', ['/dashboard']],
  ['/authorize/999', ['/dashboard/demo/deposits', '/dashboard/demo']],
  ['/authorize/hotel/999', ['/dashboard/hotel/deposits', '/dashboard/hotel']],
])('the error page at %s links to %j', async (path, links) => {
  const { status, text } = await sendHttpRequest(sim.url, { path, headers: browserHeaders });
  expect({ status, links: linksOf(text) }).toEqual({ status: 404, links });
  for (const link of links) {
    const linkedPage = await sendHttpRequest(sim.url, { path: link, headers: browserHeaders });
    expect([200, 303]).toContain(linkedPage.status);
  }
});

test('a program that requests an unknown URL gets JSON, and its request is logged', async () => {
  const { status, text } = await sendHttpRequest(sim.url, { path: '/v1/deposits', headers: ['Accept', '*/*'] });
  expect({ status, body: JSON.parse(text) }).toEqual({
    status: 404,
    body: expect.objectContaining({ success: false }),
  });
  expect((await sim.account.requests()).map(({ path }) => path)).toContain('/v1/deposits');
});

describe('the icon that browsers request automatically', () => {
  test('is served', async () => {
    const response = await fetch(`${sim.url}/favicon.ico`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
      status: 200,
      type: expect.stringMatching(/^image\/(?:x-icon|vnd\.microsoft\.icon)/),
    });
    // An icon file begins with a reserved field (0) and its type (1).
    expect([...bytes.slice(0, 4)]).toEqual([0, 0, 1, 0]);
  });

  test('is not logged as a request to the service, and neither are unknown pages', async () => {
    const before = (await sim.account.requests()).length;
    for (const path of ['/favicon.ico', '/nothing']) await sendHttpRequest(sim.url, { path, headers: browserHeaders });
    expect(await sim.account.requests()).toHaveLength(before);
  });
});
