import { expect, test } from 'vitest';
import { addMissingScheme, addMissingSmtpScheme } from '../../src/lib/missing-scheme.js';

test.each([
  ['localhost:3000/webhooks', 'http://localhost:3000/webhooks'],
  ['3000', 'http://localhost:3000'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['[::1]:3000/hooks?a=b', 'http://[::1]:3000/hooks?a=b'],
  // The name of a container.
  ['app:3000/webhooks', 'http://app:3000/webhooks'],
])('%s is completed to %s', (text, url) => {
  expect(addMissingScheme(text)).toBe(url);
});

test.each([
  'https://hotel.example/webhooks',
  'ftp://localhost:3000',
  // A local host needs a port: `none` is not a host.
  'localhost',
  'none',
  'mailto:guest@hotel.example',
  // Not local.
  'hotel.example:3000/webhooks',
  '10.0.0.7:3000',
  'user@localhost:3000',
  '300000',
  '',
])('%j is left unchanged', (text) => {
  expect(addMissingScheme(text)).toBe(text);
});

test.each([
  ['localhost:1025', 'smtp://localhost:1025'],
  ['1025', 'smtp://localhost:1025'],
  ['mail.hotel.example:587', 'mail.hotel.example:587'],
  ['smtps://user:password@hotel.example', 'smtps://user:password@hotel.example'],
])('%s is completed to %s for SMTP', (text, url) => {
  expect(addMissingSmtpScheme(text)).toBe(url);
});
