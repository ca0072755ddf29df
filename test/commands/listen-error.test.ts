import { describe, expect, test } from 'vitest';
import { CommandError } from '../../src/commands/support/command-error.js';
import { listenError } from '../../src/commands/support/listen-error.js';

const address = { port: 4010, host: 'billing.test' };

function systemError(syscall: string, code: string): Error {
  return Object.assign(new Error(`${syscall} ${code}: reason`), { syscall, code });
}

describe('a listen error says what to do', () => {
  test.each([
    ['listen', 'EADDRINUSE', 'port 4010 is already in use; choose another with --port, or 0 for a free one'],
    ['listen', 'EACCES', 'no permission to listen on port 4010; choose another with --port'],
    ['listen', 'EADDRNOTAVAIL', 'billing.test is not an address of this machine; choose another with --host'],
    ['getaddrinfo', 'ENOTFOUND', 'billing.test is not an address of this machine; choose another with --host'],
    ['listen', 'EINVAL', 'listen EINVAL: reason'],
  ])('%s %s', (syscall, code, message) => {
    expect(listenError(systemError(syscall, code), address)).toEqual(new CommandError(message));
  });
});

test('a host in brackets, as in a URL, is to be written without them', () => {
  const message = '[::1] is not an address of this machine; write ::1, without brackets';
  const error = listenError(systemError('getaddrinfo', 'ENOTFOUND'), { ...address, host: '[::1]' });
  expect(error).toEqual(new CommandError(message));
});

test.each([systemError('open', 'EACCES'), new Error('another'), 'no error'])('%s is returned unchanged', (error) => {
  expect(listenError(error, address)).toBe(error);
});
