import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { errorCode, errorMessage, unreadableReason } from '../../src/lib/errors.js';

test.each([
  [Object.assign(new Error('gone'), { code: 'ENOENT' }), 'ENOENT'],
  [new Error('without a code'), undefined],
  [Object.assign(new Error('with a code that is not a string'), { code: 404 }), undefined],
  [runInNewContext('Object.assign(new Error(`gone in another context`), { code: `ENOENT` })'), 'ENOENT'],
  [{ code: 'ENOENT' }, undefined],
  [undefined, undefined],
])('the code of %o is %s', (error, code) => {
  expect(errorCode(error)).toBe(code);
});

test.each([
  [new Error('broken'), 'broken'],
  ['broken', 'broken'],
  [undefined, 'undefined'],
])('the message of %o is %s', (error, message) => {
  expect(errorMessage(error)).toBe(message);
});

test.each([
  ['ENOENT', 'no such file; check the path'],
  ['EISDIR', 'it is a folder; give the path of a file'],
  ['EACCES', 'this user may not read it; change its permissions'],
  ['EIO', 'i/o error'],
])('a file that could not be read because of %s: %s', (code, reason) => {
  expect(unreadableReason(Object.assign(new Error('i/o error'), { code }))).toBe(reason);
});
