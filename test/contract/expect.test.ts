import { describe, expect, test } from 'vitest';
import { Blocked, Violation } from '../../src/contract/engine/check-errors.js';
import type { Call, Exchange } from '../../src/contract/engine/exchange.js';
import { expectSuccess, requireSuccess } from '../../src/contract/engine/expect.js';

/** Returns a response to `POST /deposits`. */
function responseWith(status: number, json: unknown, token: Call['token'] = 'full'): Exchange {
  const call = { method: 'POST', path: '/deposits', token } as const;
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

describe('the violation if a valid request is refused', () => {
  test.each<[status: number, token: NonNullable<Call['token']>, actual: string]>([
    [401, 'read', 'status 401; check the read token'],
    [401, 'write', 'status 401; check the write token'],
    [403, 'write', 'status 403; check the write token'],
    [422, 'write', 'status 422'],
    [401, 'full', 'status 401'],
  ])('with %d and the token `%s` says: %s', (status, token, actual) => {
    const exchange = responseWith(status, { success: false, error: 'No' }, token);
    expect(() => expectSuccess(exchange)).toThrow(new Violation('a success (2xx)', actual, exchange));
  });
});
