import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrammarError, parseShortForm } from '../../src/domain/fault-grammar.js';
import { parseJson } from '../../src/lib/json.js';

/** The short form of fault effects, such as `latency=200ms;max=2s, truncate` in the `X-Sim-Fault` header. */
describe('the short form of effects', () => {
  it.each<[string, unknown[]]>([
    ['reset', [{ name: 'reset', value: undefined, options: {} }]],
    ['status=503', [{ name: 'status', value: 503, options: {} }]],
    ['latency=200ms;max=2s', [{ name: 'latency', value: '200ms', options: { max: '2s' } }]],
    [
      ' latency = 1s , truncate = 20 ; x ',
      [
        { name: 'latency', value: '1s', options: {} },
        { name: 'truncate', value: 20, options: { x: true } },
      ],
    ],
    ['a=true;b=false;c=-1.5;d=0', [{ name: 'a', value: true, options: { b: false, c: -1.5, d: 0 } }]],
    [
      'a=007;b=1.0;c=1e3;d=+1;e=.5;f=NaN',
      [{ name: 'a', value: '007', options: { b: '1.0', c: '1e3', d: '+1', e: '.5', f: 'NaN' } }],
    ],
    ['a=null', [{ name: 'a', value: 'null', options: {} }]],
    ['a=', [{ name: 'a', value: '', options: {} }]],
    ['a=;b=', [{ name: 'a', value: '', options: { b: '' } }]],
    ['a="";b=" x "', [{ name: 'a', value: '', options: { b: ' x ' } }]],
    ['a="b;c,d\\"e"', [{ name: 'a', value: 'b;c,d"e', options: {} }]],
    [
      'a="\\\\",b',
      [
        { name: 'a', value: '\\', options: {} },
        { name: 'b', value: undefined, options: {} },
      ],
    ],
    ['body=<a href="x">it\'s "so"</a>', [{ name: 'body', value: '<a href="x">it\'s "so"</a>', options: {} }]],
    [
      'body=5" disk, latency=1s',
      [
        { name: 'body', value: '5" disk', options: {} },
        { name: 'latency', value: '1s', options: {} },
      ],
    ],
    [
      'body=a[1, b=2',
      [
        { name: 'body', value: 'a[1', options: {} },
        { name: 'b', value: 2, options: {} },
      ],
    ],
    [
      'body= {"id": 12345678901234567890, "amount":1.10} ;type=x',
      [{ name: 'body', value: '{"id": 12345678901234567890, "amount":1.10}', options: { type: 'x' } }],
    ],
    ['status=200;body=[1.0]', [{ name: 'status', value: 200, options: { body: '[1.0]' } }]],
    ['body=x=y=z', [{ name: 'body', value: 'x=y=z', options: {} }]],
    [
      'patch=[{"op":"add","path":"/a","value":"]},;"}];x={"y":[1,2]}',
      [{ name: 'patch', value: [{ op: 'add', path: '/a', value: ']},;' }], options: { x: { y: [1, 2] } } }],
    ],
    [
      'a;__proto__=1;constructor=2',
      [
        {
          name: 'a',
          value: undefined,
          options: Object.fromEntries([
            ['__proto__', 1],
            ['constructor', 2],
          ]),
        },
      ],
    ],
  ])('%s is parsed', (text, effects) => {
    expect(parseShortForm(text)).toStrictEqual(effects);
  });

  it.each([
    ['', 'an effect or option has no name; write an effect like status=503'],
    ['reset,', 'an effect or option has no name; write an effect like status=503'],
    ['=503', 'an effect or option has no name; write an effect like status=503'],
    ['status=503;', 'an effect or option has no name; write an effect like status=503'],
    ['body="no end', 'the JSON of body is not closed'],
    ['body="\\', 'the JSON of body is not closed'],
    ['patch=[{"op":"add"}', 'the JSON of patch is not closed'],
    ['patch=[1]]', 'unexpected characters after the JSON of patch; expected a semicolon or comma'],
    ['body="a"b', 'unexpected characters after the JSON of body; expected a semicolon or comma'],
    ['patch=[1,]', 'patch is not valid JSON'],
    ['patch={a:1}', 'patch is not valid JSON'],
    ['patch=[}', 'patch is not valid JSON'],
    ['latency;max=1s;max=2s', 'max is given twice'],
  ])('%s is refused: %s', (text, message) => {
    expect(() => parseShortForm(text)).toThrow(new GrammarError(message));
  });

  const names = fc.stringMatching(/^[a-z][a-z-]{0,10}$/);
  const values = fc.oneof(
    // Converted to JSON and back, since JSON does not preserve -0.
    fc
      .jsonValue({ maxDepth: 3 })
      .map((json) => parseJson(JSON.stringify(json)))
      .filter((json) => json !== null),
    fc.stringMatching(/^[^\s;,"[{][^;,]*[^\s;,]$/),
  );
  const formatValue = (json: unknown): string =>
    typeof json === 'number' || typeof json === 'boolean' ? `${json}` : JSON.stringify(json);

  it('is parsed into the effects that it was formatted from', () => {
    const effect = fc.record({
      name: names,
      value: values,
      options: fc.dictionary(names, values, { maxKeys: 3, noNullPrototype: true }),
    });
    fc.assert(
      fc.property(fc.array(effect, { minLength: 1, maxLength: 4 }), (effects) => {
        const text = effects
          .map(({ name, value, options }) =>
            [[name, value], ...Object.entries(options)].map(([key, json]) => `${key}=${formatValue(json)}`).join(';'),
          )
          .join(', ');
        expect(parseShortForm(text)).toEqual(effects);
      }),
    );
  });

  it('is parsed, or refused with a GrammarError, for any text', () => {
    const token = fc.constantFrom(...'=;,"[]{}\\:', ' ', 'a', '1', '-', '.', 'true', 'é', '\n', '__proto__');
    const texts = fc.oneof(
      fc.string(),
      fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join('')),
    );
    fc.assert(
      fc.property(texts, (shortForm) => {
        try {
          expect(parseShortForm(shortForm).length).toBeGreaterThan(0);
        } catch (error) {
          if (!(error instanceof GrammarError)) throw error;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  /** So many that a parser with quadratic time would exceed the timeout of a test by far. */
  const manyParts = 1_000_000;

  it.each([
    ['commas', 'a', ',a'],
    ['equal signs', 'a', '='],
    ['spaces', 'a=', ' '],
    ['digits', 'a=', '1'],
  ])('is parsed in linear time, even with 1,000,000 %s', (_name, start, repeatedPart) => {
    expect(parseShortForm(start + repeatedPart.repeat(manyParts))[0]?.name).toBe('a');
  });

  it.each([
    ['brackets', 'a=', '['],
    ['quotes', 'a=', '"'],
    ['options', 'a', ';b'],
    ['backslashes', 'a="', '\\'],
  ])('is refused in linear time, even with 1,000,000 %s', (_name, start, repeatedPart) => {
    expect(() => parseShortForm(start + repeatedPart.repeat(manyParts))).toThrow(GrammarError);
  });
});
