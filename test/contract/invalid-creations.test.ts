import { afterAll, expect, test } from 'vitest';
import { valueAt } from '../../src/contract/engine/expect.js';
import type { JsonObject } from '../../src/contract/engine/json.js';
import type { InterceptedRequest, Interceptor } from '../../src/contract/mutation/interceptor.js';
import { combine, onResponse, replaceWithSuccess } from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { checkClauses, closeSimulator, openAccount } from './support.js';

/**
 * The suite combines invalid fields in one request, if the errors of the target name each of them. Otherwise it sends
 * each alone.
 */

afterAll(closeSimulator);

/** Clauses about invoices and links that must be refused because of one field. */
const refusals = clauses.filter(
  ({ id, title }) => /^(INV-RULE|LINK-CREATE)-/.test(id) && / is refused(\.|, even if .*)$/.test(title),
);

/** Checks these clauses on a simulator behind an interceptor, and counts the refused requests. */
async function checkRefusals(interceptor: Interceptor) {
  let refusedCount = 0;
  const counter = onResponse(
    (_request, { status }) => status >= 400,
    () => {
      refusedCount += 1;
    },
  );
  const target = await startMutatingProxy(await openAccount({}, 'demo'), combine(interceptor, counter));
  const outcome = await checkClauses(target, refusals);
  return { outcome, refusedCount };
}

/** Changes the `errors` of all errors. */
const onErrors = (change: (errors: JsonObject) => JsonObject): Interceptor =>
  onResponse(
    (_request, { body }) => valueAt(body, 'errors') !== undefined,
    ({ body }) => Object.assign(body, { errors: change(Object(body['errors'])) }),
  );

test('fewer requests than clauses show that invalid bodies are refused', async () => {
  const { outcome, refusedCount } = await checkRefusals({});
  expect(outcome.idsWithStatus('passed')).toEqual(refusals.map(({ id }) => id));
  expect(refusedCount).toBeLessThan(refusals.length * 0.6);
});

test('a target whose errors name no fields gets one request for each invalid body, and one more', async () => {
  const { outcome, refusedCount } = await checkRefusals(onErrors(() => ({})));
  expect(outcome.idsWithStatus('passed')).toEqual(refusals.map(({ id }) => id));
  expect(refusedCount).toBe(refusals.length + 1);
});

test('a target whose errors name only the first invalid field satisfies the clauses', async () => {
  const { outcome } = await checkRefusals(onErrors((errors) => Object.fromEntries(Object.entries(errors).slice(0, 1))));
  expect(outcome.idsWithStatus('passed')).toEqual(refusals.map(({ id }) => id));
});

test('a field without a message counts as accepted', async () => {
  // The target lists all fields of a link in `errors`, and accepts a link without an amount.
  const isWithoutAmount = (body: JsonObject): boolean => 'description' in body && body['amount'] === undefined;
  const { outcome } = await checkRefusals(
    combine(
      acceptInvalid('amount', isWithoutAmount),
      onErrors((errors) => ({ description: [], amount: [], currency: [], ...errors })),
    ),
  );
  expect(outcome.idsWithStatus('failed', 'warned', 'skipped', 'broken')).toEqual(['LINK-CREATE-14']);
});

/** Accepts an invalid value of a field: the error about it is removed and, if there was no other, the request succeeds. */
const acceptInvalid = (field: string, isAccepted: (body: JsonObject) => boolean): Interceptor =>
  onResponse(
    ({ method, body }: InterceptedRequest, response) =>
      method === 'POST' && valueAt(response.body, 'errors') !== undefined && isAccepted(body),
    (response) => {
      const errors = Object.entries(Object(response.body['errors'])).filter(([key]) => !key.endsWith(field));
      if (errors.length === 0) replaceWithSuccess(response);
      else Object.assign(response.body, { errors: Object.fromEntries(errors) });
    },
  );

test.each([
  ['a date without a day', 'INV-RULE-44', acceptInvalid('date', ({ date }) => /^\d{4}-\d\d$/.test(String(date)))],
  [
    'an item without a price',
    'INV-RULE-07',
    acceptInvalid(
      'unit_price',
      (body) => valueAt(body, 'items.1') !== undefined && !valueAt(body, 'items.1.unit_price'),
    ),
  ],
  ['a link without an amount', 'LINK-CREATE-14', acceptInvalid('amount', ({ amount }) => amount === undefined)],
])('a target that accepts %s, unless another field is invalid, violates only %s', async (_what, id, interceptor) => {
  const { outcome } = await checkRefusals(interceptor);
  expect(outcome.idsWithStatus('failed', 'warned', 'skipped', 'broken')).toEqual([id]);
});
