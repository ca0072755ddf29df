import { expect, test } from 'vitest';
import { formatFailure } from '../../src/webhooks/failures.js';

test.each([
  [
    'an error with a code',
    { code: 'EAI_AGAIN' },
    'getaddrinfo EAI_AGAIN receiver.example',
    'host name could not be looked up',
  ],
  ['a reset in the middle of writing', { code: 'EPIPE' }, 'write EPIPE', 'connection closed before a response'],
  ['several addresses that all failed', { code: 'ECONNREFUSED', errors: [] }, '', 'connection refused'],
  [
    'a parse error',
    { code: 'HPE_INVALID_CONSTANT', reason: 'Expected HTTP/' },
    'Parse Error: Expected HTTP/',
    'the response is not HTTP: Expected HTTP/',
  ],
  ['a parse error without a reason', { code: 'HPE_HEADER_OVERFLOW' }, 'Overflow', 'the response is not HTTP: Overflow'],
  [
    'an error of OpenSSL',
    { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', library: 'SSL routines', reason: 'certificate required' },
    '00:error:0A00045C:SSL routines:ssl3_read_bytes:certificate required:../rec_layer_s3.c:1590:SSL alert number 116\n',
    'TLS: certificate required',
  ],
  [
    'an error of OpenSSL that has only a message',
    { code: 'EPROTO' },
    'write EPROTO 00:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../ssl3_record.c:355:\n',
    'TLS: wrong version number',
  ],
  ['any other error', { code: 'CERT_HAS_EXPIRED' }, 'certificate has expired', 'certificate has expired'],
])('%s is formatted for people', (_description, properties, message, expected) => {
  expect(formatFailure(Object.assign(new Error(message), properties))).toBe(expected);
});

test('an error about several addresses, which has no message of its own, is described by the first error', () => {
  const errors = [new Error('connect EADDRNOTAVAIL ::1:1'), new Error('connect EADDRNOTAVAIL 127.0.0.1:1')];
  const error = Object.assign(new AggregateError(errors), { code: 'EADDRNOTAVAIL' });
  expect(formatFailure(error)).toBe('connect EADDRNOTAVAIL ::1:1');
});

test('a thrown value that is not an error is shown as text', () => {
  expect(formatFailure('text')).toBe('text');
});
