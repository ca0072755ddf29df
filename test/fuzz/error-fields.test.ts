import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memberOf } from './document.js';
import { type Service, startService } from './service.js';

/**
 * Regression tests: the property tests of `fuzz.test.ts` found metadata keys that `errors` once showed differently.
 */
describe('the field in `errors`', () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService();
  });

  afterAll(() => service.stop());

  it.each(['007', '7', '99999999999999999999', 'a/b', '~1', '', 'a.b', '__proto__'])(
    'ends with the metadata key %j, unchanged',
    async (key) => {
      const { body } = await service.sendAndCheck({
        operation: 'createDeposit',
        id: undefined,
        query: [],
        headers: { authorization: 'Bearer demo_write', 'content-type': 'application/json' },
        body: `{"booking_reference":"BK-1","amount":1,"metadata":{${JSON.stringify(key)}:[]}}`,
      });
      const errors = memberOf(body, 'errors');
      expect(Object.keys(Object(errors))).toEqual([`metadata.${key}`]);
    },
  );
});
