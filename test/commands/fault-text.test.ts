import { describe, expect, test } from 'vitest';
import { formatEffects } from '../../src/commands/simulator/effects-text.js';
import type { components } from '../../src/generated/control-types.js';
import { describeFaultCounts, describeFaultScope } from '../../src/text/fault-text.js';

type Fault = components['schemas']['Fault'];

const fault: Fault = {
  id: 1,
  effects: [{ name: 'reset' }],
  stage: 'request',
  match: {},
  times: null,
  until: null,
  times_matched: 0,
  times_fired: 0,
  status: 'active',
  created_at: '2026-03-01T09:00:00.000Z',
};

describe('the scope of a fault', () => {
  test.each<[changes: Partial<Fault>, description: string]>([
    [{}, 'every request'],
    [{ stage: 'response' }, 'every request'],
    [{ stage: 'message' }, 'every webhook'],
    [{ stage: 'attempt' }, 'every webhook attempt'],
    [{ match: { operation: 'createDeposit' } }, 'createDeposit'],
    [{ match: { method: 'POST' } }, 'POST'],
    [{ match: { path: '/invoices*' } }, '/invoices*'],
    [{ match: { method: 'GET', path: '/invoices*', token: 'read' } }, 'GET /invoices*, with the token read'],
    [{ match: { status: '4xx' } }, 'every request, responses with 4xx'],
    [{ stage: 'message', match: { event: 'deposit.*' } }, 'deposit.*'],
    [
      { stage: 'message', match: { body: { 'data.amount': 300, id: 'evt_*' } } },
      'every webhook, with data.amount=300, with id=evt_*',
    ],
    [{ match: { nth: 1 } }, 'every request, only the 1st'],
    [{ match: { every: 2, probability: 0.25 } }, 'every request, every 2nd, with probability 0.25'],
    [{ times: 1 }, 'every request, once'],
    [{ times: 2, until: '2026-03-01T10:00:00.000Z' }, 'every request, 2 times, until 2026-03-01 10:00:00'],
  ])('of %j is described as: %s', (changes, description) => {
    expect(describeFaultScope({ ...fault, ...changes })).toBe(description);
  });

  test.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [11, '11th'],
    [12, '12th'],
    [13, '13th'],
    [21, '21st'],
    [100, '100th'],
    [111, '111th'],
    [1_002, '1002nd'],
  ])('with `every: %i` is described as every %s', (every, ordinal) => {
    expect(describeFaultScope({ ...fault, match: { every } })).toBe(`every request, every ${ordinal}`);
  });
});

test.each([
  [0, 0, 'never matched'],
  [3, 0, 'matched 3, fired 0'],
  [3, 2, 'matched 3, fired 2'],
])('%i matches, of which %i fired, are described as: %s', (times_matched, times_fired, description) => {
  expect(describeFaultCounts({ times_matched, times_fired })).toBe(description);
});

test('effects are grouped by stage, with aligned columns', () => {
  const commonFields = { value: null, required: [], options: {} };
  const text = formatEffects([
    { ...commonFields, name: 'reset', summary: 'resets', example: 'reset', stage: 'request' },
    { ...commonFields, name: 'lose-response', summary: 'loses', example: 'lose-response', stage: 'response' },
    {
      name: 'latency',
      summary: 'waits',
      example: 'latency=1s',
      stage: 'response',
      value: 'min',
      required: ['min'],
      options: { min: { description: 'the least', default: '1s' }, max: { description: 'the most' } },
    },
  ]);
  expect(text.split('\n')).toEqual([
    'Instead of handling a request:',
    '  reset          resets',
    '',
    'On the response, after the request was handled:',
    '  lose-response  loses',
    '  latency        waits',
    '                 for example latency=1s',
    '                 - min: the least (default: 1s)',
    '                 - max: the most',
  ]);
});
