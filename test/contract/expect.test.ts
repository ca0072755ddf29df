import { describe, expect, test } from 'vitest';
import { Blocked } from '../../src/contract/engine/check-errors.js';
import type { Exchange } from '../../src/contract/engine/exchange.js';
import { requireSuccess } from '../../src/contract/engine/expect.js';

/** Returns a response to `POST /deposits`. */
function responseWith(status: number, json: unknown): Exchange {
  const call = { method: 'POST', path: '/deposits' } as const;
  return {
    call,
    url: 'http://127.0.0.1/deposits',
    status,
    headers: {},
    text: JSON.stringify(json),
    json,
    milliseconds: 0,
  };
}

describe('the reason why a clause cannot be checked, if an earlier request was refused', () => {
  test.each<[json: unknown, reason: string]>([
    [{ success: false, error: 'Invalid', errors: { amount: ['At most 500.'] } }, '400, "Invalid" (amount)'],
    [{ success: false, error: 'Invalid', errors: { amount: [], currency: [] } }, '400, "Invalid" (amount, currency)'],
    [{ success: false, error: 'Invalid' }, '400, "Invalid"'],
    [{ success: false, error: 'x'.repeat(101), errors: {} }, `400, "${'x'.repeat(100)}…"`],
    [{ success: false, error: { code: 7 }, errors: ['amount'] }, '400'],
    [undefined, '400'],
  ])('names the status, the error and the invalid fields: %j', (json, reason) => {
    const exchange = responseWith(400, json);
    const check = (): unknown => requireSuccess(exchange);
    expect(check).toThrow(new Blocked(`POST /deposits returned ${reason}`, exchange));
  });
});
