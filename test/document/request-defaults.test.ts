import { describe, expect, test } from 'vitest';
import { billingDocument } from '../../src/generated/billing-document.js';
import { controlDocument } from '../../src/generated/control-document.js';
import { controlOperations } from '../../src/generated/control-operations.js';
import { isRecord } from '../../src/lib/json.js';
import { compileRequestSchema } from '../../src/openapi/schemas.js';

/**
 * Defaults of fields in request bodies. The OpenAPI documents give them as `x-default`, since client generators make
 * a field with a `default` required.
 */

/** Lists all fields in a part of a document, with their schemas. */
function collectFields(part: unknown): [name: string, schema: Record<string, unknown>][] {
  if (Array.isArray(part)) return part.flatMap(collectFields);
  if (!isRecord(part)) return [];
  const { properties, ...others } = part;
  const ownFields = isRecord(properties) ? Object.entries(properties) : [];
  return [
    ...ownFields.flatMap(([name, schema]): [string, Record<string, unknown>][] =>
      isRecord(schema) ? [[name, schema]] : [],
    ),
    ...[...Object.values(others), ...ownFields.map(([, schema]) => schema)].flatMap(collectFields),
  ];
}

describe.each([
  ['openapi/billing.yaml', billingDocument, ['currency', 'currency', 'tax_rate']],
  ['openapi/control.yaml', controlDocument, ['outcome', 'outcome', 'rate_limit', 'same_key', 'seed', 'timeout']],
] as const)('%s', (_name, { components }, namesWithDefault) => {
  const fields = collectFields([components?.schemas, components?.requestBodies]);
  const fieldsWithDefault = fields.filter(([, schema]) => 'x-default' in schema);

  test('has no field with a `default`, because client generators make such fields required', () => {
    expect(fields.filter(([, schema]) => 'default' in schema)).toEqual([]);
  });

  test('states the default of a field in its description, since tools do not show `x-default`', () => {
    expect(fieldsWithDefault.map(([name]) => name).sort()).toEqual(namesWithDefault);
    const undescribed = fieldsWithDefault.filter(
      ([, { description, 'x-default': value }]) => !String(description).includes(String(value)),
    );
    expect(undescribed).toEqual([]);
  });
});

test.each([
  ['createAccount', {}, { seed: 'empty', rate_limit: true }],
  ['advanceClock', { by: '1d' }, { by: '1d', timeout: '30s' }],
  ['replayRequest', {}, { same_key: false }],
  ['payPaymentLink', {}, { outcome: 'paid' }],
  ['payInvoice', {}, { outcome: 'paid' }],
])('a request to %s with the body %o is handled as if the body were %o', (id, sentBody, handledBody) => {
  const validate = compileRequestSchema(controlOperations.find((operation) => operation.id === id)?.body ?? {});
  const body = { ...sentBody };
  expect(validate(body)).toBe(true);
  expect(body).toEqual(handledBody);
});
