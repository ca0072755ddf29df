import { expect, test } from 'vitest';
import { errorCode } from '../../src/lib/error-code.js';

test.each([
  [Object.assign(new Error('gone'), { code: 'ENOENT' }), 'ENOENT'],
  [new Error('without a code'), undefined],
  [Object.assign(new Error('another kind of code'), { code: 404 }), undefined],
  [{ code: 'ENOENT' }, undefined],
  [undefined, undefined],
])('the code of %o is %s', (error, code) => {
  expect(errorCode(error)).toBe(code);
});
