import { describe, expect, test } from 'vitest';
import { LostAnswers, type WriteRequest } from '../../src/simulation/coverage/lost-answers.js';

/** Creates request number `n`, at `n` milliseconds; all have the same key and body unless overridden. */
function change(number: number, own: Partial<WriteRequest> = {}): WriteRequest {
  return {
    request: `req_${number}`,
    operation: 'createDeposit',
    takesKey: true,
    key: 'booking-1',
    path: '/deposits',
    body: { amount: 1 },
    startedAt: number,
    ...own,
  };
}

const outcomes = ({ all }: LostAnswers) => all.map(({ request, outcome, retry }) => [request, outcome, retry]);

describe('a lost response', () => {
  test('is settled only by a retry of the same request', () => {
    const lost = new LostAnswers();
    expect(lost.hasUnhandled).toBe(false);
    lost.recordLost(change(1), 'reset', 2);
    expect(lost.hasUnhandled).toBe(true);
    lost.recordRetry(change(3));
    expect(lost.hasUnhandled).toBe(false);
    lost.recordRetry(change(4, { key: 'booking-2' }));
    expect(outcomes(lost)).toEqual([['req_1', 'same-key', 'req_3']]);
  });

  test('is not retried by a request that started before it was lost', () => {
    const lost = new LostAnswers();
    lost.recordLost(change(1), 'reset', 5);
    lost.recordRetry(change(4));
    expect(outcomes(lost)).toEqual([['req_1', 'none', null]]);
  });

  test('of a retry is reported separately', () => {
    const lost = new LostAnswers();
    lost.recordLost(change(1), 'reset', 2);
    lost.recordRetry(change(3));
    lost.recordLost(change(3), 'hang', 4);
    lost.recordRetry(change(5, { key: 'booking-2' }));
    expect(outcomes(lost)).toEqual([
      ['req_1', 'same-key', 'req_3'],
      ['req_3', 'other-key', 'req_5'],
    ]);
  });

  test('is settled by one retry together with other lost responses to the same request', () => {
    const lost = new LostAnswers();
    lost.recordLost(change(1), 'reset', 2);
    lost.recordLost(change(1, { request: 'req_2' }), 'reset', 2);
    lost.recordRetry(change(3));
    expect(outcomes(lost)).toEqual([
      ['req_1', 'same-key', 'req_3'],
      ['req_2', 'same-key', 'req_3'],
    ]);
  });

  test('distinguishes bodies, ignoring the order of fields', () => {
    const lost = new LostAnswers();
    lost.recordLost(change(1, { body: { amount: 1, currency: 'EUR' } }), 'reset', 2);
    lost.recordRetry(change(3, { key: 'other', body: { amount: 2, currency: 'EUR' } }));
    lost.recordRetry(change(4, { key: 'other', body: { currency: 'EUR', amount: 1 } }));
    expect(outcomes(lost)).toEqual([['req_1', 'other-key', 'req_4']]);
  });

  test('distinguishes paths', () => {
    const lost = new LostAnswers();
    const capture = { operation: 'captureDeposit', takesKey: false, key: undefined, body: {} };
    lost.recordLost(change(1, { ...capture, path: '/deposits/1/capture' }), 'reset', 2);
    lost.recordRetry(change(3, { ...capture, path: '/deposits/2/capture' }));
    lost.recordRetry(change(4, { ...capture, path: '/deposits/1/capture' }));
    expect(outcomes(lost)).toEqual([['req_1', 'repeated', 'req_4']]);
  });

  test('counts as looked up after a later request for the same records', () => {
    const lost = new LostAnswers();
    lost.recordLost(change(1), 'reset', 5);
    lost.recordLookup(4, () => true);
    lost.recordLookup(6, (operation) => operation === 'createInvoice');
    expect(lost.all.map(({ isLookedUp }) => isLookedUp)).toEqual([false]);
    lost.recordLookup(6, (operation) => operation === 'createDeposit');
    expect(lost.all.map(({ isLookedUp }) => isLookedUp)).toEqual([true]);
  });

  test('that arrives late is not counted as lost', () => {
    const lost = new LostAnswers();
    const arrived = lost.recordLost(change(1), 'latency', 2);
    lost.recordLost(change(2), 'reset', 3);
    arrived();
    arrived();
    expect(lost.count).toBe(1);
    expect(outcomes(lost)).toEqual([['req_2', 'none', null]]);
  });

  test('does not reveal its key', () => {
    const lost = new LostAnswers();
    lost.recordLost(change(1), 'reset', 2);
    lost.recordLost(change(3, { key: 'booking-2' }), 'reset', 4);
    lost.recordLost(change(5, { key: undefined }), 'reset', 6);
    const keys = lost.all.map(({ key }) => key);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/), expect.stringMatching(/^[0-9a-f]{12}$/), null]);
    expect(new Set(keys).size).toBe(3);
    expect(JSON.stringify(lost.all)).not.toContain('booking');
  });
});

test('of many lost responses the last thousand are kept, and all are counted', () => {
  const lost = new LostAnswers();
  for (let number = 1; number <= 1_500; number++) {
    lost.recordLost(change(number, { key: `booking-${number}`, body: { number } }), 'reset', number);
  }
  expect(lost.count).toBe(1_500);
  expect(lost.all.map(({ request }) => request)).toEqual(Array.from({ length: 1_000 }, (_, at) => `req_${at + 501}`));
  lost.recordRetry(change(2_000, { key: 'booking-1500' }));
  expect(lost.all.at(-1)).toMatchObject({ outcome: 'same-key', retry: 'req_2000' });
});
