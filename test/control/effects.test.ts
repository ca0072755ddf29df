import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effectStages } from '../../src/domain/faults.js';
import { effects } from '../../src/faults/index.js';
import { readFault } from '../../src/faults/rule.js';
import { controlDocument } from '../../src/generated/control-document.js';
import { withEffectsSchema } from '../docs/effects-schema.js';
import { readPage } from '../docs/page.js';
import { compileSchema } from '../support/document-schemas.js';
import { type ControlServer, requireData, startControlServer } from './control-server.js';

/**
 * The effects and faults in the OpenAPI document match the implementation. The parser of new faults does not use the
 * schemas of the document, so the two could differ.
 */

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

test('GET /effects lists every effect with its summary, example, stage and options', async () => {
  const { data: listed } = requireData(await sim.control.GET('/effects'));
  expect(listed).toEqual(
    effects.map(({ name, summary, example, valueOption = null, required = [], options }) => {
      return { name, summary, example, stage: effectStages[name], value: valueOption, required, options };
    }),
  );
});

test('an effect is implemented for each name', () => {
  expect(effects.map(({ name }) => name).sort()).toEqual(Object.keys(effectStages).sort());
});

test('the document describes every effect', () => {
  const document = readPage('openapi/control.yaml');
  expect(document, 'stale: run `npm run docs`').toBe(withEffectsSchema(document));
});

test('a stale description of the effects is updated, and the rest of the document is left unchanged', () => {
  const document = readPage('openapi/control.yaml');
  const stale = document.replace(/^ {8}\| `reset` .*$/m, '        | gone |');
  expect(stale).not.toBe(document);
  expect(withEffectsSchema(stale)).toBe(document);
});

describe('the example of the effect', () => {
  test.each(effects.map(({ name, example }) => ({ name, example })))('$name is accepted', ({ name, example }) => {
    expect(readFault({ effect: example }).effects).toMatchObject([{ name }]);
  });
});

const newFault = controlDocument.components?.requestBodies?.['NewFault'];
if (!newFault || '$ref' in newFault) throw new Error('the document has no request body NewFault');
const examplesOfNewFault = Object.entries(newFault.content['application/json']?.examples ?? {});

test.each(examplesOfNewFault)('the example %s of a new fault is accepted', (_name, example) => {
  expect('value' in example && readFault(example.value)).toMatchObject({ effects: expect.anything() });
});

describe('the schema of a new fault and the parser', () => {
  const isValid = compileSchema(controlDocument, { $ref: '#/components/schemas/NewFault' });
  const effect = 'lose-response';

  test.each<object>([
    { effect },
    { effect: { name: 'status', status: 503 } },
    { effect: ['reset', { name: 'latency', min: '1s' }] },
    { effect, times: 1_000_000 },
    { effect, until: '2026-03-01T09:00:00+01:00' },
    { effect, for: 'P8D' },
    { effect, match: {} },
    { effect, match: { operation: 'createDeposit', method: 'POST', path: '/deposits', status: '2xx', token: 'full' } },
    { effect, match: { body: { amount: 300, 'metadata.channel': 'web*', late: false } } },
    { effect, match: { nth: 6, every: 3, probability: 1 } },
    { effect: 'receiver-fails', match: { event: 'deposit.*', status: undefined } },
  ])('both accept %j', (fault) => {
    expect(isValid(fault)).toBe(true);
    expect(() => readFault(fault)).not.toThrow();
  });

  test.each<object>([
    {},
    { effect: null },
    { effect: [] },
    { effect: { name: 'lose-respons' } },
    { effect, time: 1 },
    { effect, times: 0 },
    { effect, times: 1_000_001 },
    { effect, until: '2026' },
    { effect, for: 'soon' },
    { effect, match: { opration: 'createDeposit' } },
    { effect, match: { operation: 5 } },
    { effect, match: { status: null } },
    { effect, match: { body: {} } },
    { effect, match: { body: { amount: null } } },
    { effect, match: { nth: 0 } },
    { effect, match: { every: 1.5 } },
    { effect, match: { probability: 0 } },
    { effect, match: { probability: 1.1 } },
  ])('both refuse %j', (fault) => {
    expect(isValid(fault)).toBe(false);
    expect(() => readFault(fault)).toThrow(expect.objectContaining({ name: 'FaultError' }));
  });
});
