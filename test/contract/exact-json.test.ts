import { describe, expect, test } from 'vitest';
import { formatExactJson, parseExactJson } from '../../src/contract/engine/json.js';

describe('JSON', () => {
  test.each([
    ['{"id":9007199254740993}', { id: 9007199254740993n }],
    ['[-9223372036854775808]', [-9223372036854775808n]],
    ['{"id":9007199254740991,"amount":0.1234567890123456}', { id: 9007199254740991, amount: 0.1234567890123456 }],
    ['{"text":"9007199254740993"}', { text: '9007199254740993' }],
    ['{"amount":19.9}', { amount: 19.9 }],
  ])('%s is read and written without loss, even if an integer exceeds 2^53', (text, value) => {
    expect(parseExactJson(text)).toEqual(value);
    expect(formatExactJson(parseExactJson(text))).toBe(text);
  });

  test.each(['', '{', '{"id":9007199254740993', '9007199254740993 x'])(
    'is read as undefined if the text %j is invalid',
    (text) => {
      expect(parseExactJson(text)).toBeUndefined();
    },
  );
});
