import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectStages } from '../../src/domain/faults.js';
import { FaultError } from '../../src/faults/fault-error.js';
import { effects } from '../../src/faults/index.js';
import { readEffects } from '../../src/faults/read-effects.js';
import { readFault } from '../../src/faults/rule.js';

/** Messages of the error that a function throws about a fault: its own, then those of the others. */
function messagesOf(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof FaultError) return [error, ...error.others].map(({ message }) => message);
    throw error;
  }
  throw new Error('expected an error about the fault');
}

describe('a fault', () => {
  it.each<[unknown, object]>([
    [{ effect: 'reset' }, { effects: [{ name: 'reset' }], match: {}, times: null, until: null, for: null }],
    [{ effect: 'status=503' }, { effects: [{ name: 'status', status: 503 }] }],
    [
      { effect: ['status=503', { name: 'latency', min: '1s' }] },
      { effects: [{ name: 'status' }, { name: 'latency', min: '1s' }] },
    ],
    [{ effect: 'status=200;body={"data":[1]}' }, { effects: [{ name: 'status', status: 200, body: '{"data":[1]}' }] }],
    [
      { effect: { name: 'status', status: 200, body: [{ id: 1 }] } },
      { effects: [{ name: 'status', status: 200, body: '[{"id":1}]' }] },
    ],
    [{ effect: 'status=500;body=0;type=text/plain' }, { effects: [{ name: 'status', status: 500, body: '0' }] }],
    [
      { effect: 'maintenance=10m;error=404' },
      { effects: [{ name: 'maintenance', for: '10m', error: '404' }], until: null, for: 600_000 },
    ],
    [
      { effect: 'maintenance=10m', for: '1h' },
      { until: null, for: 3_600_000 },
    ],
    [
      { effect: 'maintenance=10m', until: '2026-03-01T10:00:00Z' },
      { until: '2026-03-01T10:00:00.000Z', for: null },
    ],
    [
      { effect: 'reset', for: '2h 30m' },
      { until: null, for: 9_000_000 },
    ],
    [
      { effect: 'reset', until: '2026-03-01T10:00:00+01:00' },
      { until: '2026-03-01T09:00:00.000Z', for: null },
    ],
    [
      { effect: 'reset', match: { status: '4xx', nth: 2 }, times: 3 },
      { match: { status: '4xx', nth: 2 }, times: 3 },
    ],
    [
      { effect: 'reset', match: undefined, times: undefined },
      { match: {}, times: null },
    ],
    [
      { effect: 'patch=[{"op":"remove","path":""},{"op":"add","path":"/a~1b/~0/-","value":null}]' },
      {
        effects: [
          {
            name: 'patch',
            patch: [
              { op: 'remove', path: '' },
              { op: 'add', path: '/a~1b/~0/-', value: null },
            ],
          },
        ],
      },
    ],
  ])('%j is read', (value, rule) => {
    expect(readFault(value)).toMatchObject(rule);
  });

  it.each<[effect: unknown, messages: readonly string[]]>([
    [
      'status=50;type=;boddy=x',
      [
        'status: unknown key `boddy`; did you mean `body`?',
        'status.status: must be 200 or more',
        'status.type: `` is not a content type (for example text/html)',
      ],
    ],
    [
      { name: 'latency', min: 'soon', max: 'later' },
      [
        'latency.min: `soon` is not a duration of up to 10m (for example 200ms or 2s)',
        'latency.max: `later` is not a duration of up to 10m (for example 200ms or 2s)',
      ],
    ],
    // One error for each option: the second operation has several.
    [
      {
        name: 'patch',
        patch: [
          { op: 'remove', path: '/a' },
          { op: 'delete', pth: '/a' },
        ],
      },
      ['patch.patch.1: unknown key `pth`; did you mean `path`?'],
    ],
    [{ name: 'latency', mn: '1s' }, ['latency: unknown key `mn`; did you mean `min`?']],
  ])('%j is rejected with an error for each invalid option', (effect, messages) => {
    const read = () => readFault({ effect });
    expect(read).toThrow(FaultError);
    expect(messagesOf(read)).toEqual(messages);
  });

  it.each<[unknown, string[]]>([
    ['status=50, truncate=-1', ['status.status: must be 200 or more', 'truncate.bytes: must be 0 or more']],
    [
      [{ name: 'status', status: 50 }, 'reset', 5, 'truncate=-1, latency=2s'],
      [
        'status.status: must be 200 or more',
        'effect: must be a string (for example status=503) or a mapping, not the number 5',
        'truncate.bytes: must be 0 or more',
      ],
    ],
    [
      'statsu=503, truncate=-1',
      ['unknown effect `statsu`; did you mean `status`?', 'truncate.bytes: must be 0 or more'],
    ],
  ])('%j is rejected with an error for each invalid effect', (effect, messages) => {
    const read = () => readFault({ effect });
    expect(messagesOf(read)).toEqual(messages);
  });

  it('names the invalid options of an effect beside the other errors of the fault', () => {
    const fault = { effect: 'status=50;type=', times: 1, for: '1h', until: '2026-03-01T09:00:00Z' };
    expect(messagesOf(() => readFault(fault))).toEqual([
      'for: cannot be combined with `until`',
      'status.status: must be 200 or more',
      'status.type: `` is not a content type (for example text/html)',
    ]);
  });

  it.each<[unknown, string]>([
    [null, 'must be a mapping, not null'],
    [undefined, 'must be a mapping, not null'],
    ['status=503', 'must be a mapping (for example {"effect":"status=503"}), not a string'],
    [[], 'must be a mapping, not a list'],
    [{}, '`effect` is missing'],
    [{ efect: 'reset' }, 'unknown key `efect`; did you mean `effect`?'],
    [{ effect: 'reset', tiems: 3 }, 'unknown key `tiems`; did you mean `times`?'],
    [{ effect: 5 }, 'effect: must be a string (for example status=503) or a mapping, not the number 5'],
    [{ effect: null }, 'effect: must be a string (for example status=503) or a mapping, not null'],
    [{ effect: [] }, 'effect: must contain 1 to 10 effects, not 0'],
    [{ effect: Array(11).fill('reset') }, 'effect: must contain 1 to 10 effects, not 11'],
    [{ effect: Array(5_000).fill('rest') }, 'effect: must contain 1 to 10 effects, not 5000'],
    [{ effect: Array(5_000).fill('rest').join() }, 'effect: must contain 1 to 10 effects, not 5000'],
    [{ effect: {} }, 'effect: `name` is missing'],
    [{ effect: { name: { toString: 1 } } }, 'effect: name must be a string, not a mapping'],
    [{ effect: '' }, 'effect: an effect or option has no name; write an effect like status=503'],
    [{ effect: 'body="' }, 'effect: the JSON of body is not closed'],
    [{ effect: 'statsu=503' }, 'unknown effect `statsu`; did you mean `status`?'],
    [{ effect: 'STATUS=503' }, 'unknown effect `STATUS`; did you mean `status`?'],
    [{ effect: 'slowbody' }, 'unknown effect `slowbody`; did you mean `slow-body`?'],
    [
      { effect: '__proto__' },
      expect.stringMatching(/^unknown effect `__proto__`; available: `status`, `rate-limited`/),
    ],
    [{ effect: 'constructor=1' }, expect.stringMatching(/^unknown effect `constructor`/)],
    [{ effect: 'status' }, 'status: `status` is missing; for example status=503'],
    [{ effect: 'status=503;boddy=x' }, 'status: unknown key `boddy`; did you mean `body`?'],
    [
      { effect: 'status=503;__proto__=x' },
      expect.stringMatching(/^status: unknown key `__proto__`; available: `status`/),
    ],
    [{ effect: 'status=50' }, 'status.status: must be 200 or more'],
    [{ effect: 'status=600' }, 'status.status: must be 599 or less'],
    [{ effect: 'status=abc' }, 'status.status: must be a whole number, not a string'],
    [{ effect: 'status=503;status=504' }, 'status: status is given twice'],
    [{ effect: 'status=503;body' }, 'status.body: must be a string, not true'],
    [{ effect: 'status=503;type=text/plain' }, 'status.type: is only for a `body`'],
    [{ effect: 'status=503;body=x;error=y' }, 'status.error: cannot be combined with `body`, which replaces it'],
    [{ effect: 'status=204;body=hello' }, 'status.body: a response with status 204 has no body'],
    [
      { effect: { name: 'status', status: 205, error: 'Gone' } },
      'status.error: a response with status 205 has no body',
    ],
    [{ effect: 'latency=1s, status=304;body="{}"' }, 'status.body: a response with status 304 has no body'],
    [{ effect: 'status=503;type=' }, 'status.type: `` is not a content type (for example text/html)'],
    [
      { effect: 'wrong-content-type=a\nb' },
      'wrong-content-type.type: `a b` is not a content type (for example text/html)',
    ],
    [{ effect: 'reset=1' }, 'reset: takes only named options, not a value'],
    [{ effect: 'latency=12' }, 'latency.min: `12` is not a duration of up to 10m (for example 200ms or 2s)'],
    [
      { effect: { name: 'latency', min: 12 } },
      'latency.min: the number 12 is not a duration of up to 10m (for example 200ms or 2s)',
    ],
    [{ effect: 'latency=11m' }, 'latency.min: `11m` is not a duration of up to 10m (for example 200ms or 2s)'],
    [{ effect: 'latency=2s;max=1s' }, 'latency.max: must not be less than `min`'],
    [{ effect: 'rate-limited=soon' }, 'rate-limited.after: `soon` is not a duration (for example 30s, 2h or 8d)'],
    [{ effect: 'maintenance=0s' }, 'maintenance.for: must be longer than 0'],
    [{ effect: 'maintenance=0s', for: '1h' }, 'maintenance.for: must be longer than 0'],
    [{ effect: { name: 'maintenance', for: '0.1ms' } }, 'maintenance.for: must be longer than 0'],
    [{ effect: 'slow-body=1s;bytes=0' }, 'slow-body.bytes: must be 1 or more'],
    [{ effect: 'truncate=-1' }, 'truncate.bytes: must be 0 or more'],
    [{ effect: 'malformed-json=cutt' }, 'malformed-json: unknown way `cutt`; did you mean `cut`?'],
    [
      { effect: 'malformed-json=1' },
      'malformed-json.how: must be `cut`, `trailing-comma`, `single-quotes` or `warning`, not the number 1',
    ],
    [{ effect: 'patch' }, 'patch: `patch` is missing; for example patch=[{"op":"remove","path":"/data/currency"}]'],
    [{ effect: 'patch=[]' }, 'patch.patch: must not be empty'],
    [{ effect: 'patch={}' }, 'patch.patch: must be a list, not a mapping'],
    [{ effect: 'patch=[1]' }, 'patch.patch.0: must be a mapping, not the number 1'],
    [
      { effect: 'patch=[{"op":"delete","path":"/a"}]' },
      'patch.patch.0: unknown operation `delete`; available: `add`, `remove`, `replace`, `move`, `copy`, `test`',
    ],
    [{ effect: 'patch=[{"op":"remove"}]' }, 'patch.patch.0: `path` is missing'],
    [{ effect: 'patch=[{"op":"add","path":"/a"}]' }, 'patch.patch.0: `value` is missing'],
    [{ effect: 'patch=[{"op":"copy","path":"/a","value":1}]' }, 'patch.patch.0: `from` is missing'],
    [
      { effect: 'patch=[{"op":"add","path":"/a","valu":1}]' },
      'patch.patch.0: unknown key `valu`; did you mean `value`?',
    ],
    [
      { effect: 'patch=[{"op":"remove","path":"data"}]' },
      'patch.patch.0.path: `data` is not a JSON Pointer (for example /data/amount)',
    ],
    [
      { effect: 'patch=[{"op":"remove","path":"/a~2"}]' },
      'patch.patch.0.path: `/a~2` is not a JSON Pointer (for example /data/amount)',
    ],
    [
      { effect: 'patch=[{"op":"remove","path":"/__proto__/x"}]' },
      'patch.patch.0.path: `/__proto__/x` is not a JSON Pointer (for example /data/amount)',
    ],
    [
      { effect: 'patch=[{"op":"move","from":"/constructor","path":"/a"}]' },
      'patch.patch.0.from: `/constructor` is not a JSON Pointer (for example /data/amount)',
    ],
    [
      { effect: ['reset', 'drop'] },
      'effect: effects on requests and effects on webhooks cannot be combined in one fault; add a fault for each',
    ],
    [
      { effect: 'status=503, lose-response' },
      'effect: lose-response needs the request to be handled, and status prevents that; they cannot be combined in one fault',
    ],
    [
      { effect: 'truncate, hang' },
      'effect: truncate needs a response, and hang prevents that; they cannot be combined in one fault',
    ],
    [
      { effect: ['lose-response', 'patch=[{"op":"remove","path":"/data"}]'] },
      'effect: patch needs a response, and lose-response prevents that; they cannot be combined in one fault',
    ],
    [
      { effect: 'latency=1s, hang' },
      'effect: latency needs the request to end, and hang prevents that; they cannot be combined in one fault',
    ],
    ...['duplicate', 'tamper-body', 'wrong-secret', 'retired-secret', 'no-signature'].map((name): [object, string] => [
      { effect: ['drop=attempt', name] },
      `effect: ${name} needs the first attempt to be sent, and drop prevents that; they cannot be combined in one fault`,
    ]),
    [
      { effect: 'status=503, hang' },
      'effect: status and hang both replace the handling of the request; a fault can have only one such effect',
    ],
    [
      { effect: 'outage, latency=1s, reset, status=500', match: { status: '2xx' } },
      'effect: outage and reset both replace the handling of the request; a fault can have only one such effect',
    ],
    [{ effect: 'reset', match: [] }, 'match: must be a mapping, not a list'],
    [
      { effect: 'reset', match: { operatoin: 'getInvoice' } },
      'match: unknown key `operatoin`; did you mean `operation`?',
    ],
    [
      { effect: 'reset', match: { operation: 'getInvoices' } },
      'match: unknown operation `getInvoices`; did you mean `getInvoice`?',
    ],
    [
      { effect: 'reset', match: { operation: 1 } },
      'match.operation: must be `listInvoices`, `createInvoice`, `getInvoice`, `getInvoiceStats`, `listOverdueInvoices`, `sendInvoiceReminder`, `listPaymentLinks`, `createPaymentLink`, `listPayments`, `listDeposits`, `createDeposit`, `getDeposit`, `captureDeposit` or `releaseDeposit`, not the number 1',
    ],
    [{ effect: 'reset', match: { method: 'post' } }, 'match: unknown method `post`; did you mean `POST`?'],
    [
      { effect: 'reset', match: { path: 'deposits' } },
      'match.path: `deposits` is not a path (for example /deposits/8/capture or /invoices*)',
    ],
    [
      { effect: 'reset', match: { path: '/api/v1/deposits*' } },
      'match.path: `/api/v1/deposits*` never matches, as paths are matched below /api/v1 and without the query; use `/deposits*`',
    ],
    [
      { effect: 'reset', match: { path: '/api/v1' } },
      'match.path: `/api/v1` never matches, as paths are matched below /api/v1 and without the query; use `/`',
    ],
    [
      { effect: 'reset', match: { path: '/invoices?status=paid' } },
      'match.path: `/invoices?status=paid` never matches, as paths are matched below /api/v1 and without the query; use `/invoices`',
    ],
    [
      { effect: 'reset', match: { path: '/api/v1?page=2' } },
      'match.path: `/api/v1?page=2` never matches, as paths are matched below /api/v1 and without the query; use `/`',
    ],
    [
      { effect: 'reset', match: { status: 99 } },
      'match.status: the number 99 is not a status (for example the number 503 or the string 5xx)',
    ],
    [
      { effect: 'reset', match: { status: '6xx' } },
      'match.status: the string `6xx` is not a status (for example the number 503 or the string 5xx)',
    ],
    [
      { effect: 'reset', match: { status: '503' } },
      'match.status: the string `503` is not a status (for example the number 503 or the string 5xx)',
    ],
    [
      { effect: 'reset', match: { status: null } },
      'match.status: null is not a status (for example the number 503 or the string 5xx)',
    ],
    [{ effect: 'reset', match: { token: '' } }, 'match.token: must not be empty'],
    [{ effect: 'reset', match: { nth: 0 } }, 'match.nth: must be 1 or more'],
    [{ effect: 'reset', match: { every: 1.5 } }, 'match.every: must be a whole number, not the number 1.5'],
    [{ effect: 'reset', match: { probability: 0 } }, 'match.probability: must be more than 0'],
    [{ effect: 'reset', match: { probability: 2 } }, 'match.probability: must be 1 or less'],
    [{ effect: 'reset', match: { body: {} } }, 'match.body: must not be empty'],
    [{ effect: 'reset', match: { body: { a: null } } }, 'match.body.a: null is not a string, number, true or false'],
    [
      { effect: 'reset', match: { event: 'deposit.created' } },
      'match.event: reset applies to requests, which have no event',
    ],
    [{ effect: 'drop', match: { status: 200 } }, 'match.status: drop applies to webhooks, which have no status'],
    [{ effect: 'reset', times: 0 }, 'times: must be 1 or more'],
    [{ effect: 'reset', times: '3' }, 'times: must be a whole number, not a string'],
    [{ effect: 'reset', for: '1' }, 'for: `1` is not a duration (for example 30s, 2h or 8d)'],
    [{ effect: 'reset', for: '0s' }, 'for: must be longer than 0'],
    [{ effect: 'reset', for: '0.1ms' }, 'for: must be longer than 0'],
    [
      { effect: 'reset', until: 'tomorrow' },
      'until: `tomorrow` is not a date or time (for example 2026-03-01 or 2026-03-01T09:00:00Z)',
    ],
    [
      { effect: 'reset', until: '2026-02-30' },
      'until: `2026-02-30` is not a date or time (for example 2026-03-01 or 2026-03-01T09:00:00Z)',
    ],
    [
      { effect: 'reset', until: '2026-02-30T25:00:00Z' },
      'until: `2026-02-30T25:00:00Z` is not a date or time (for example 2026-03-01 or 2026-03-01T09:00:00Z)',
    ],
    ...['2026-02-30T09:00:00Z', '9999-12-31T23:59:59-23:59'].map((until): [object, string] => [
      { effect: 'reset', until },
      `until: \`${until}\` is not a date or time (for example 2026-03-01 or 2026-03-01T09:00:00Z)`,
    ]),
    [
      { effect: 'reset', match: { nth: 2, every: 3 } },
      'match.every: the fault would never fire, since `nth` (2) is not a multiple of `every` (3)',
    ],
    [{ effect: 'reset', until: '2026-03-01T09:00:00Z', for: '1h' }, 'for: cannot be combined with `until`'],
  ])('%j is refused: %s', (value, message) => {
    expect(() => readFault(value)).toThrow(expect.objectContaining({ name: 'FaultError', message }));
  });

  it.each<{ name: string; value: unknown; message: string }>([
    {
      name: 'has a value 30 levels deep in a patch',
      value: { effect: `patch=[{"op":"add","path":"/a","value":${'['.repeat(30)}${']'.repeat(30)}}]` },
      message: 'must not be nested more than 20 levels deep',
    },
    {
      name: 'has a short form whose JSON is 9,000 levels deep',
      value: { effect: `patch=${'['.repeat(9_000)}${']'.repeat(9_000)}` },
      message: 'must not be nested more than 20 levels deep',
    },
    {
      name: 'has a value 9,000 levels deep',
      value: JSON.parse(`{"effect":${'['.repeat(9_000)}${']'.repeat(9_000)}}`),
      message: 'must not be nested more than 20 levels deep',
    },
    { name: 'contains itself', value: circularObject(), message: 'cannot be written as JSON' },
    { name: 'is not JSON', value: { effect: 5n }, message: 'cannot be written as JSON' },
  ])('is refused if it $name', ({ value, message }) => {
    expect(() => readFault(value)).toThrow(expect.objectContaining({ name: 'FaultError', message }));
  });

  it.each<[token: string, message: string]>([
    ['reed', 'match: unknown token `reed`; did you mean `read`?'],
    ['night*', 'match: unknown token `night*`; available: `full`, `read`'],
  ])('for the token %s, which the account does not have, is refused: %s', (token, message) => {
    const value = { effect: 'reset', match: { token } };
    expect(() => readFault(value, { tokenNames: ['full', 'read'], now: 0 })).toThrow(
      expect.objectContaining({ name: 'FaultError', message }),
    );
    // A scenario file does not know the tokens of the accounts that run it.
    expect(readFault(value).match).toEqual({ token });
  });

  it.each(['read', 're*', '*'])('for the token %s, which the account has, is read', (token) => {
    expect(readFault({ effect: 'reset', match: { token } }, { tokenNames: ['full', 'read'], now: 0 }).match).toEqual({
      token,
    });
  });

  it('is refused with a message of one short line, however long the value is', () => {
    for (const long of ['x'.repeat(100_000), '\n'.repeat(1_000), 'é'.repeat(1_000)]) {
      for (const value of [
        { effect: long },
        { effect: { name: long } },
        { [long]: 1 },
        { effect: 'reset', until: long },
      ]) {
        const message = messageOf(() => readFault(value));
        expect(message).not.toBe('');
        expect(message.length).toBeLessThan(700);
        expect(message).not.toContain('\n');
      }
    }
  });

  it('can have every effect that has a stage', () => {
    expect(effects.map(({ name }) => name).sort()).toEqual(Object.keys(effectStages).sort());
  });

  it.each(effects.map(({ name, example }) => ({ name, example })))(
    'can have the effect $name, written like its example',
    ({ name, example }) => {
      expect(readEffects(example)).toMatchObject([{ name }]);
    },
  );

  it.each(effects.filter(({ required = [] }) => required.length === 0).map(({ name }) => ({ name })))(
    'can have the effect $name, written as its name alone',
    ({ name }) => {
      expect(readEffects(name)).toEqual([{ name }]);
    },
  );
});

/** Creates an object that contains itself. */
function circularObject(): object {
  const value: { effect?: object } = {};
  value.effect = value;
  return value;
}

/** Message of the FaultError that a function throws; empty if it throws none. */
function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof FaultError) return error.message;
    throw error;
  }
  return '';
}

/** Names and values for random faults, chosen so that many of them are nearly valid. */
const words = fc.constantFrom(
  ...effects.map(({ name }) => name),
  ...['name', 'effect', 'match', 'times', 'until', 'for', 'status', 'body', 'operation', 'createDeposit', 'event'],
  ...['min', 'max', '2s', '10m', '2026-03-01T09:00:00Z', '__proto__', 'constructor', 'toString', 'op', 'path', '/data'],
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    words,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.string(),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.oneof(words, fc.string()), tie('value'), { maxKeys: 4 }),
})).value;

describe('any value', () => {
  it('is read as a fault, or refused with a FaultError', () => {
    const rule = fc.oneof(
      json,
      fc.record({ effect: json, match: json, times: json, until: json, for: json }, { requiredKeys: [] }),
    );
    fc.assert(
      fc.property(rule, (value) => {
        messageOf(() => readFault(value));
      }),
      { numRuns: 1_000 },
    );
  });

  it('in the short form is read as effects, or refused with a FaultError', () => {
    const token = fc.oneof(words, fc.constantFrom('=', '=', ';', ';', ',', '"', '[', ']', '{', '}', '503', '1', ' '));
    const short = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(''));
    fc.assert(
      fc.property(fc.oneof(short, fc.string()), (text) => {
        messageOf(() => readEffects(text));
      }),
      { numRuns: 1_000 },
    );
  });
});

it('an effect is read the same in the short form and as an object', () => {
  const text = fc.string({ unit: 'binary-ascii', maxLength: 50 });
  const duration = fc.integer({ min: 0, max: 600_000 }).map((milliseconds) => `${milliseconds}ms`);
  const pointer = fc
    .array(fc.stringMatching(/^[a-z0-9]{1,8}$/))
    .map((names) => names.map((name) => `/${name}`).join(''));
  const effect = fc.oneof(
    // Some statuses below 400 allow no body.
    fc.record(
      { name: fc.constant('status'), status: fc.integer({ min: 400, max: 599 }), error: text },
      { requiredKeys: ['name', 'status'] },
    ),
    fc.record({ name: fc.constant('status'), status: fc.integer({ min: 400, max: 599 }), body: text }),
    fc.record({ name: fc.constant('latency'), min: duration }),
    fc.record(
      { name: fc.constant('slow-body'), pause: duration, bytes: fc.integer({ min: 1, max: 1_000 }) },
      { requiredKeys: ['name'] },
    ),
    fc.record({ name: fc.constant('truncate'), bytes: fc.nat(1_000) }, { requiredKeys: ['name'] }),
    fc.record({
      name: fc.constant('patch'),
      patch: fc.array(fc.record({ op: fc.constant('add'), path: pointer, value: fc.jsonValue({ maxDepth: 3 }) }), {
        minLength: 1,
      }),
    }),
  );
  const short = ({ name, ...options }: { name: string }): string =>
    [name, ...Object.entries(options).map(([key, value]) => `${key}=${JSON.stringify(value)}`)].join(';');
  // A fault can have only one effect that replaces the handling of the request.
  const comparator = (a: { name: string }, b: { name: string }): boolean => a.name === 'status' && b.name === 'status';
  fc.assert(
    fc.property(fc.uniqueArray(effect, { minLength: 1, maxLength: 10, comparator }), (requested) => {
      expect(readEffects(requested.map(short).join(', '))).toEqual(readEffects(requested));
    }),
  );
});
