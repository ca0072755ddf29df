import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';

// The simulator does not check that its own schemas are valid, since that would slow down its start.
const ajv = new Ajv2020();

test.each([
  'fixtures/accounts/seed.schema.json',
  'fixtures/scenarios/scenario.schema.json',
  'openapi/config.schema.json',
  'openapi/contract-report.schema.json',
])('%s is a valid JSON Schema of draft 2020-12', (path) => {
  ajv.validateSchema(JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')));
  expect(ajv.errors ?? []).toEqual([]);
});
