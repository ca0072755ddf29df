import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { invalidFieldBody } from '../support/envelope.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { tempFolder } from '../support/temp-folder.js';

/**
 * Metadata of any type (specification gap `metadata.values`). Recursion over deeply nested values could overflow the
 * stack.
 */

const depositBody = (levels: number): string => {
  // The metadata itself and the arrays in it.
  const arrays = levels - 1;
  return `{"booking_reference":"A","amount":1,"metadata":{"a":${'['.repeat(arrays)}${']'.repeat(arrays)}}}`;
};

test('metadata of 100 levels is stored, even in snapshots, and deeper metadata is refused', async () => {
  const log: string[] = [];
  const settings = {
    data: tempFolder(),
    profile: { 'metadata.values': 'any' },
    rateLimit: false,
    log: (line: string): number => log.push(line),
  } as const;
  let sim = await startSimulator(settings);
  onTestFinished(() => sim.close());
  const post = (body: string, key: string[] = []) =>
    sendHttpRequest(sim.url, {
      method: 'POST',
      path: '/api/v1/deposits',
      token: 'demo_full',
      headers: key.flatMap((value) => ['Idempotency-Key', value]),
      body,
    });

  const tooDeep = invalidFieldBody('metadata', 'The metadata field must have at most 100 levels.');
  for (const levels of [101, 1_000, 5_000, 40_000]) {
    for (const key of [[], ['deep']]) {
      const { status, text } = await post(depositBody(levels), key);
      expect({ status, body: JSON.parse(text) }).toEqual({ status: 422, body: tooDeep });
    }
  }
  const created = await post(depositBody(100));
  expect(created.status).toBe(201);

  await sim.close();
  sim = await startSimulator(settings);
  const { data } = JSON.parse(created.text);
  const read = await sendHttpRequest(sim.url, { path: `/api/v1/deposits/${data.id}`, token: 'demo_full' });
  expect(JSON.parse(read.text).data.metadata).toEqual(data.metadata);

  await sim.account.snapshots.save('deep');
  const body = JSON.stringify({ name: 'copy', file: await sim.account.snapshots.export('deep') });
  const path = '/_sim/accounts/demo/snapshots/import';
  expect((await sendHttpRequest(sim.url, { method: 'POST', path, body })).status).toBe(201);
  expect(log).toEqual([]);
});

test.each(['1e999', '[-1e999]', '{"b":[0,{"c":1e999}]}'])(
  'metadata with a number that is too large to be stored is refused: %s',
  async (value) => {
    const sim = await startSimulator({ profile: { 'metadata.values': 'any' }, rateLimit: false });
    onTestFinished(() => sim.close());
    const body = `{"booking_reference":"A","amount":1,"metadata":{"a":${value}}}`;
    const { status } = await sendHttpRequest(sim.url, {
      method: 'POST',
      path: '/api/v1/deposits',
      token: 'demo_full',
      body,
    });
    expect(status).toBe(422);
  },
);

test.each([1_000, 5_000, 30_000])(
  'a refused request with %d levels is shown by the control API, the dashboard and the trace',
  async (levels) => {
    const log: string[] = [];
    const sim = await startSimulator({ rateLimit: false, log: (line) => log.push(line) });
    onTestFinished(() => sim.close());
    const body = depositBody(levels);
    await sendHttpRequest(sim.url, { method: 'POST', path: '/api/v1/deposits', token: 'demo_full', body });
    const [logged] = await sim.account.requests();
    const { sent, error_details } = await sim.account.request(logged?.id ?? '');
    expect(sent.body?.text).toBe(body);
    const [field] = error_details?.fields ?? [];
    expect(JSON.stringify(field?.sent)).toBe(`${'['.repeat(100)}"…"${']'.repeat(100)}`);

    const page = await sendHttpRequest(sim.url, { path: `/dashboard/demo/requests/${logged?.id}` });
    expect(page.status).toBe(200);
    // Indentation would make the page thousands of times as long as the body.
    expect(page.text.length).toBeLessThan(10_000_000);
    expect((await sim.account.trace.json()).requests[0]?.error_details).toEqual(error_details);
    expect(log).toEqual([]);
  },
);
