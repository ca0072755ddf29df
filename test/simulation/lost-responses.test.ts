import { describe, expect, test } from 'vitest';
import { LostResponses, type WriteRequest } from '../../src/simulation/coverage.js';

/**
 * Creates request number `number`, which starts at that millisecond. Key and body are always the same unless
 * overridden.
 */
function writeRequest(number: number, overrides: Partial<WriteRequest> = {}): WriteRequest {
  return {
    request: `req_${number}`,
    operation: 'createDeposit',
    takesKey: true,
    key: 'booking-1',
    storedAt: undefined,
    path: '/deposits',
    body: { amount: 1 },
    startedAt: number,
    ...overrides,
  };
}

/** Each request whose response was lost, the outcome, and the request that retried it. */
const outcomes = ({ all }: LostResponses) => all.map(({ request, outcome, retry }) => [request, outcome, retry]);

// `recordLost` takes the request, the effect that lost its response, and the time of the loss in milliseconds.
describe('a lost response', () => {
  test('is settled by the first retry of the same request', () => {
    const lost = new LostResponses();
    expect(lost.hasUnhandled).toBe(false);
    lost.recordLost(writeRequest(1), 'reset', 2);
    expect(lost.hasUnhandled).toBe(true);
    lost.recordRetry(writeRequest(3));
    expect(lost.hasUnhandled).toBe(false);
    lost.recordRetry(writeRequest(4, { key: 'booking-2' }));
    expect(outcomes(lost)).toEqual([['req_1', 'same-key', 'req_3']]);
  });

  test('is not settled by a request that started before the loss', () => {
    const lost = new LostResponses();
    lost.recordLost(writeRequest(1), 'reset', 5);
    lost.recordRetry(writeRequest(4));
    expect(outcomes(lost)).toEqual([['req_1', 'none', null]]);
  });

  test('of a retry is reported separately', () => {
    const lost = new LostResponses();
    lost.recordLost(writeRequest(1), 'reset', 2);
    lost.recordRetry(writeRequest(3));
    lost.recordLost(writeRequest(3), 'hang', 4);
    lost.recordRetry(writeRequest(5, { key: 'booking-2' }));
    expect(outcomes(lost)).toEqual([
      ['req_1', 'same-key', 'req_3'],
      ['req_3', 'other-key', 'req_5'],
    ]);
  });

  test('is settled by one retry together with other lost responses to the same request', () => {
    const lost = new LostResponses();
    lost.recordLost(writeRequest(1), 'reset', 2);
    lost.recordLost(writeRequest(1, { request: 'req_2' }), 'reset', 2);
    lost.recordRetry(writeRequest(3));
    expect(outcomes(lost)).toEqual([
      ['req_1', 'same-key', 'req_3'],
      ['req_2', 'same-key', 'req_3'],
    ]);
  });

  test('is not settled by a request with another body; the order of fields does not matter', () => {
    const lost = new LostResponses();
    lost.recordLost(writeRequest(1, { body: { amount: 1, currency: 'EUR' } }), 'reset', 2);
    lost.recordRetry(writeRequest(3, { key: 'other', body: { amount: 2, currency: 'EUR' } }));
    lost.recordRetry(writeRequest(4, { key: 'other', body: { currency: 'EUR', amount: 1 } }));
    expect(outcomes(lost)).toEqual([['req_1', 'other-key', 'req_4']]);
  });

  test('is not settled by a request to another path', () => {
    const lost = new LostResponses();
    const capture = { operation: 'captureDeposit', takesKey: false, key: undefined, body: {} };
    lost.recordLost(writeRequest(1, { ...capture, path: '/deposits/1/capture' }), 'reset', 2);
    lost.recordRetry(writeRequest(3, { ...capture, path: '/deposits/2/capture' }));
    lost.recordRetry(writeRequest(4, { ...capture, path: '/deposits/1/capture' }));
    expect(outcomes(lost)).toEqual([['req_1', 'repeated', 'req_4']]);
  });

  test('counts as looked up after a later request that reads the same records', () => {
    const lost = new LostResponses();
    lost.recordLost(writeRequest(1), 'reset', 5);
    // The first look-up started before the loss, and the others read records that the lost request did not change.
    lost.recordLookup({ startedAt: 4, path: '/deposits' });
    for (const path of ['/invoices', '/deposits/1', '/deposit']) lost.recordLookup({ startedAt: 6, path });
    expect(lost.all.map(({ isLookedUp }) => isLookedUp)).toEqual([false]);
    lost.recordLookup({ startedAt: 6, path: '/deposits' });
    expect(lost.all.map(({ isLookedUp }) => isLookedUp)).toEqual([true]);
  });

  test('that arrives after all is not counted as lost', () => {
    const lost = new LostResponses();
    const markArrived = lost.recordLost(writeRequest(1), 'latency', 2);
    lost.recordLost(writeRequest(2), 'reset', 3);
    markArrived();
    // The second call changes nothing.
    markArrived();
    expect(lost.count).toBe(1);
    expect(outcomes(lost)).toEqual([['req_2', 'none', null]]);
  });

  test('is reported without revealing its key', () => {
    const lost = new LostResponses();
    lost.recordLost(writeRequest(1), 'reset', 2);
    lost.recordLost(writeRequest(3, { key: 'booking-2' }), 'reset', 4);
    lost.recordLost(writeRequest(5, { key: undefined }), 'reset', 6);
    const keys = lost.all.map(({ key }) => key);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/), expect.stringMatching(/^[0-9a-f]{12}$/), null]);
    expect(new Set(keys).size).toBe(3);
    expect(JSON.stringify(lost.all)).not.toContain('booking');
  });
});

test('a late response does not count as lost, even if newer ones have taken its place in the list', () => {
  const lost = new LostResponses();
  const markArrived = Array.from({ length: 1_001 }, (_, number) => lost.recordLost(writeRequest(number), 'latency', 0));
  markArrived[0]?.();
  markArrived[0]?.();
  markArrived[1_000]?.();
  expect([lost.count, lost.all.length]).toEqual([999, 999]);
});

test('the last thousand lost responses are remembered, and all are counted', () => {
  const lost = new LostResponses();
  for (let number = 1; number <= 1_500; number++) {
    lost.recordLost(writeRequest(number, { key: `booking-${number}`, body: { number } }), 'reset', number);
  }
  expect(lost.count).toBe(1_500);
  expect(lost.all.map(({ request }) => request)).toEqual(
    Array.from({ length: 1_000 }, (_, index) => `req_${index + 501}`),
  );
  lost.recordRetry(writeRequest(2_000, { key: 'booking-1500' }));
  expect(lost.all.at(-1)).toMatchObject({ outcome: 'same-key', retry: 'req_2000' });
});
