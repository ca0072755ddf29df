import { describe, expect, test } from 'vitest';
import { billingDocument } from '../../src/generated/billing-document.js';
import { controlDocument } from '../../src/generated/control-document.js';
import { controlOperations } from '../../src/generated/control-operations.js';
import { isRecord } from '../../src/lib/is-record.js';
import { compileRequestSchema } from '../../src/openapi/schemas.js';

/** Defaults of the fields of request bodies, which the documents give as `x-default`. */

/** The fields below a part of a document, with their schemas. */
function fieldsIn(part: unknown): [name: string, schema: Record<string, unknown>][] {
  if (Array.isArray(part)) return part.flatMap(fieldsIn);
  if (!isRecord(part)) return [];
  const { properties, ...others } = part;
  const own = isRecord(properties) ? Object.entries(properties) : [];
  return [
    ...own.flatMap(([name, schema]): [string, Record<string, unknown>][] => (isRecord(schema) ? [[name, schema]] : [])),
    ...[...Object.values(others), ...own.map(([, schema]) => schema)].flatMap(fieldsIn),
  ];
}

describe.each([
  ['openapi/billing.yaml', billingDocument, ['currency', 'currency', 'tax_rate']],
  ['openapi/control.yaml', controlDocument, ['outcome', 'outcome', 'rate_limit', 'same_key', 'seed', 'timeout']],
] as const)('%s', (_name, { components }, namesWithDefault) => {
  const fields = fieldsIn([components?.schemas, components?.requestBodies]);
  const withDefault = fields.filter(([, schema]) => 'x-default' in schema);

  test('has no field with a `default`, because client generators make such fields required', () => {
    expect(fields.filter(([, schema]) => 'default' in schema)).toEqual([]);
  });

  test('names the default of a field in its description, for readers who see no `x-default`', () => {
    expect(withDefault.map(([name]) => name).sort()).toEqual(namesWithDefault);
    const unnamed = withDefault.filter(
      ([, { description, 'x-default': value }]) => !String(description).includes(String(value)),
    );
    expect(unnamed).toEqual([]);
  });
});

test.each([
  ['createAccount', {}, { seed: 'empty', rate_limit: true }],
  ['advanceClock', { by: '1d' }, { by: '1d', timeout: '30s' }],
  ['replayRequest', {}, { same_key: false }],
  ['payPaymentLink', {}, { outcome: 'paid' }],
  ['payInvoice', {}, { outcome: 'paid' }],
])('a request of %s with %o is handled as %o', (id, sent, handled) => {
  const validate = compileRequestSchema(controlOperations.find((operation) => operation.id === id)?.body ?? {});
  const body = { ...sent };
  expect(validate(body)).toBe(true);
  expect(body).toEqual(handled);
});
