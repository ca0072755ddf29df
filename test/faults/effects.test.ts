import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEffects } from '../../src/faults/index.js';
import { readEffects } from '../../src/faults/read-effects.js';
import type { Reply, ServiceContext } from '../../src/faults/requests/reply.js';

const reply: Reply = {
  status: 201,
  body: '{"success":true,"data":{"id":1}}',
  contentType: 'application/json; charset=utf-8',
  headers: { 'X-Request-Id': 'r-1' },
  hint: null,
  delayMs: 0,
  end: 'respond',
  bytesToSend: null,
  chunking: null,
};

const context: ServiceContext = {
  now: Date.parse('2026-03-01T09:00:00Z'),
  until: null,
  random: () => 0.5,
  bodyForStatus: (status) => `{"error":${status}}`,
  // The real header has seconds; this one shows what an effect passes.
  rateExceeded: (retryAfterMs) => ({ status: 429, body: '{}', headers: { 'Retry-After': String(retryAfterMs) } }),
};

/** Applies effects to a response. @returns the fields that changed */
function changesBy(effects: unknown, contextOverrides: Partial<ServiceContext> = {}, original = reply): Partial<Reply> {
  const result = applyEffects(original, readEffects(effects), { ...context, ...contextOverrides });
  const changedFields = Object.entries(result).filter(([key, value]) => Reflect.get(original, key) !== value);
  return Object.fromEntries(changedFields);
}

describe('a response with effects', () => {
  it.each<[string, Partial<Reply>]>([
    ['status=503', { status: 503, body: '{"error":503}' }],
    ['status=503;error=Out', { status: 503, body: '{"success":false,"error":"Out"}' }],
    ['status=200;error=Out', { status: 200, body: '{"success":false,"error":"Out"}' }],
    ['status=502;body=<p>', { status: 502, body: '<p>', contentType: 'text/html', headers: {} }],
    ['status=500;body=', { status: 500, body: '', contentType: null, headers: {} }],
    ['rate-limited', { status: 429, body: '{}', headers: { 'Retry-After': 'null' } }],
    ['rate-limited=2m', { status: 429, body: '{}', headers: { 'Retry-After': '120000' } }],
    ['outage', { status: 503, body: '{"error":503}' }],
    ['hang', { end: 'hang' }],
    ['reset', { end: 'reset' }],
    ['lose-response', { end: 'reset' }],
    ['latency=2s', { delayMs: 2_000 }],
    ['latency=1s;max=3s', { delayMs: 2_000 }],
    ['latency=1s, latency=500ms', { delayMs: 1_500 }],
    ['slow-body', { chunking: { bytes: 64, pauseMs: 100 } }],
    ['slow-body=1s;bytes=1', { chunking: { bytes: 1, pauseMs: 1_000 } }],
    ['truncate', { bytesToSend: 'half' }],
    ['truncate=0', { bytesToSend: 0 }],
    ['wrong-content-type', { contentType: 'text/html' }],
    ['malformed-json', { body: '{"success":true,"data":{"id":1}' }],
    ['malformed-json=trailing-comma', { body: '{"success":true,"data":{"id":1},}' }],
    ['malformed-json=single-quotes', { body: "{'success':true,'data':{'id':1}}" }],
    ['patch=[{"op":"replace","path":"/data/id","value":"1"}]', { body: '{"success":true,"data":{"id":"1"}}' }],
    ['patch=[{"op":"replace","path":"","value":[]}]', { body: '[]' }],
    ['patch=[{"op":"add","path":"","value":{}},{"op":"add","path":"/id","value":1}]', { body: '{"id":1}' }],
    ['patch=[{"op":"copy","from":"/data","path":""}]', { body: '{"id":1}' }],
    ['patch=[{"op":"move","from":"/data/id","path":""}]', { body: '1' }],
    ['patch=[{"op":"move","from":"/success","path":"/data/id"}]', { body: '{"data":{"id":true}}' }],
    [
      'patch=[{"op":"copy","from":"","path":"/data"}]',
      { body: '{"success":true,"data":{"success":true,"data":{"id":1}}}' },
    ],
    ['patch=[{"op":"remove","path":""},{"op":"add","path":"","value":null}]', { body: 'null' }],
    [
      'patch=[{"op":"remove","path":""}]',
      {
        hint: 'the patch could not be applied, so the response is unchanged: `remove ""` failed: nothing is left of the body',
      },
    ],
    [
      'patch=[{"op":"move","from":"/missing","path":""}]',
      {
        hint: 'the patch could not be applied, so the response is unchanged: `move ""` failed: Value required at path: /missing',
      },
    ],
    ['status=503, latency=1s', { status: 503, body: '{"error":503}', delayMs: 1_000 }],
  ])('has only the expected changes, with %s', (effects, changes) => {
    expect(changesBy(effects)).toEqual(changes);
  });

  it.each([
    ['the time until the fault ends', '2026-03-01T09:00:30Z', 'maintenance=1h', 30],
    ['the duration of its option', null, 'maintenance=1h', 3_600],
    ['ten minutes by default', null, 'maintenance', 600],
    ['at least one second', '2026-03-01T09:00:00.001Z', 'maintenance', 1],
  ])('under maintenance has a Retry-After that is %s', (_value, until, effects, seconds) => {
    const changes = changesBy(effects, { until: until === null ? null : Date.parse(until) });
    expect(changes).toMatchObject({ status: 503, headers: { 'X-Request-Id': 'r-1', 'Retry-After': seconds } });
  });

  it('is delayed by a time within the range of a latency', () => {
    const milliseconds = fc.nat(600_000);
    fc.assert(
      fc.property(
        milliseconds,
        milliseconds,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (a, b, randomNumber) => {
          const [min, max] = [Math.min(a, b), Math.max(a, b)];
          const { delayMs = 0 } = changesBy(`latency=${min}ms;max=${max}ms`, { random: () => randomNumber });
          expect(delayMs).toBeGreaterThanOrEqual(min);
          expect(delayMs).toBeLessThanOrEqual(max);
        },
      ),
    );
    expect(changesBy('latency=1s;max=3s', { random: () => 0 })).toEqual({ delayMs: 1_000 });
    expect(changesBy('latency=1s;max=3s', { random: () => 1 - 2 ** -53 })).toEqual({ delayMs: 3_000 });
  });

  // `warning` puts a warning in HTML before the JSON, as PHP does.
  it.each(['cut', 'trailing-comma', 'single-quotes', 'warning'])('is not valid JSON under malformed-json=%s', (how) => {
    const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
    fc.assert(
      fc.property(object, fc.boolean(), (value, isSpaced) => {
        const body = JSON.stringify(value, null, isSpaced ? 2 : 0);
        const { body: malformed } = changesBy(`malformed-json=${how}`, {}, { ...reply, body });
        expect(() => JSON.parse(malformed ?? body)).toThrow(SyntaxError);
      }),
    );
  });

  it('is valid JSON after any patch, and unchanged if the reply has a hint, which says that the patch could not be applied', () => {
    const pointer = fc.constantFrom(
      '',
      '/data',
      '/data/id',
      '/list',
      '/list/0',
      '/list/-',
      '/list/length',
      '/a/b',
      '/toString',
    );
    const operation = fc.record({
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
      path: pointer,
      from: pointer,
      value: fc.jsonValue({ maxDepth: 2 }),
    });
    const original = { ...reply, body: '{"success":true,"data":{"id":1},"list":[1,{"x":"y"}]}' };
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 20 }), (patch) => {
        const { body, hint } = changesBy({ name: 'patch', patch }, {}, original);
        if (body !== undefined) JSON.parse(body);
        expect(body === undefined || hint === undefined).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    { op: 'add', path: '/list/toString/x', value: 1 },
    { op: 'replace', path: '/list/toString/name', value: 1 },
    { op: 'remove', path: '/list/length' },
    { op: 'replace', path: '/list/-', value: 1 },
    { op: 'copy', from: '/list/toString', path: '/x' },
    { op: 'copy', from: '/list/toString', path: '' },
    { op: 'test', path: '/list/toString/length', value: 0 },
  ])('is unchanged by a patch of a property that is not part of the JSON: %j', (operation) => {
    const methods = JSON.stringify(Object.getOwnPropertyDescriptors(Array.prototype.toString));
    const changes = changesBy({ name: 'patch', patch: [operation] }, {}, { ...reply, body: '{"list":[]}' });
    expect(changes).toEqual({
      hint: expect.stringMatching(/ failed: Value required at path: \/list\/(?:toString|length|-)/),
    });
    expect(JSON.stringify(Object.getOwnPropertyDescriptors(Array.prototype.toString))).toBe(methods);
  });

  it('is a new object: the original response does not change', () => {
    const frozen = Object.freeze({ ...reply, headers: Object.freeze({ ...reply.headers }) });
    for (const replacingEffect of ['status=503', 'maintenance', 'rate-limited']) {
      changesBy(`${replacingEffect}, latency=1s, slow-body, truncate, malformed-json, wrong-content-type`, {}, frozen);
    }
    expect(frozen).toEqual(reply);
  });
});
