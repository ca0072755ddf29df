import { expect, test } from 'vitest';
import { firstSchemaError } from '../../src/lib/schema-errors.js';
import { strictAjv } from '../../src/lib/strict-ajv.js';

test.each([
  ['do', 'unknown verb `c`; available: `a`, `b`'],
  ['size', 'unknown size `c`; available: `a`, `b`'],
  ['constructor', 'unknown constructor `c`; available: `a`, `b`'],
])('an unknown value of the key %s is reported as %j', (key, reason) => {
  const validate = strictAjv().compile({ type: 'object', additionalProperties: { enum: ['a', 'b'] } });
  validate(Object.fromEntries([[key, 'c']]));
  expect(firstSchemaError(validate.errors ?? [], { do: 'verb' }).reason).toBe(reason);
});
