import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatShortForm, parseShortForm } from '../../src/domain/fault-grammar.js';
import { effects } from '../../src/faults/index.js';
import { readEffects } from '../../src/faults/read-effects.js';

// The short form of an effect may set one of its options without a name: `latency=200ms` sets `min`.
test.each([
  [{ name: 'lose-response' }, null, 'lose-response'],
  [{ name: 'status', status: 503 }, 'status', 'status=503'],
  [{ name: 'latency', max: '2s', min: '200ms' }, 'min', 'latency=200ms;max=2s'],
  [
    { name: 'status', status: 502, body: '<h1>a, b</h1>', error: '' },
    'status',
    'status=502;body="<h1>a, b</h1>";error=',
  ],
  [{ name: 'patch', patch: [{ op: 'remove', path: '/a' }] }, 'patch', 'patch=[{"op":"remove","path":"/a"}]'],
  [{ name: 'x', text: '12', yes: true, no: false, word: 'true' }, null, 'x;text="12";yes;no=false;word="true"'],
])('the effect %j, whose unnamed option is %j, is written as %s', (effect, valueOption, shortForm) => {
  expect(formatShortForm(effect, valueOption)).toBe(shortForm);
});

test('an effect with any options is the same after writing and parsing it', () => {
  const value = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[;,="'[\]{} \\\d.a-]*$/),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.string()),
    fc.dictionary(fc.stringMatching(/^[a-z]+$/), fc.string()),
  );
  const options = fc.dictionary(fc.stringMatching(/^[a-z]{2,3}$/), value);
  // The other options have names of letters only, so that none of them has this name.
  const valueOption = 'the value';
  fc.assert(
    fc.property(options, value, (otherOptions, effectValue) => {
      const effect = { name: 'effect', ...otherOptions, [valueOption]: effectValue };
      const [parsed] = parseShortForm(formatShortForm(effect, valueOption));
      expect(parsed).toEqual({ name: 'effect', value: effectValue, options: otherOptions });
    }),
  );
});

test.each(effects.map(({ example, valueOption = null }) => [example, valueOption] as const))(
  'the example %s is read and written unchanged',
  (example, valueOption) => {
    expect(readEffects(example).map((effect) => formatShortForm(effect, valueOption))).toEqual([example]);
  },
);
