import { expect, test } from 'vitest';
import { createSmtpMailer } from '../../src/mail/smtp.js';
import { parseSmtpUrl, SmtpUrlError } from '../../src/mail/smtp-url.js';

const defaults = { port: undefined, secure: false, login: undefined };

test.each([
  ['smtp://127.0.0.1:1025', { ...defaults, host: '127.0.0.1', port: 1025 }],
  ['smtp://localhost', { ...defaults, host: 'localhost' }],
  ['smtp://mail_hog:25/', { ...defaults, host: 'mail_hog', port: 25 }],
  ['smtp://[::1]:25', { ...defaults, host: '::1', port: 25 }],
  ['smtp://BÜCHER.example', { ...defaults, host: 'xn--bcher-kva.example' }],
  ['smtps://mail.example', { ...defaults, host: 'mail.example', secure: true }],
  ['SMTPS://mail.example:465', { ...defaults, host: 'mail.example', secure: true, port: 465 }],
  ['smtp://ada:secret@mail.example', { ...defaults, host: 'mail.example', login: { user: 'ada', pass: 'secret' } }],
  [
    'smtp://ada%40example.com:%C3%A9%2F%3A%40%25@mail.example:587',
    { ...defaults, host: 'mail.example', port: 587, login: { user: 'ada@example.com', pass: 'é/:@%' } },
  ],
])('%s is parsed', (url, server) => {
  expect(parseSmtpUrl(url)).toEqual(server);
});

test.each([
  ['', 'the SMTP URL is not valid'],
  ['localhost:1025', 'begins with neither smtp:// nor smtps://'],
  ['127.0.0.1:1025', 'the SMTP URL is not valid'],
  ['http://localhost:1025', 'begins with neither smtp:// nor smtps://'],
  ['smtp://', 'has no host'],
  ['smtp:localhost:25', 'has no host'],
  ['smtp:///localhost', 'has no host'],
  ['smtp://ho%00st', 'has no host'],
  ['smtp://ho%zzst', 'the host in the SMTP URL has a % that is not a valid escape'],
  ['smtp://local host', 'the SMTP URL is not valid'],
  ['smtp://localhost:99999', 'the SMTP URL is not valid'],
  ['smtp://localhost:smtp', 'the SMTP URL is not valid'],
  ['smtp://localhost:0', 'has port 0'],
  ['smtp://localhost:25/inbox', 'has a path, query or fragment'],
  ['smtp://localhost:25?tls=no', 'has a path, query or fragment'],
  ['smtp://localhost:25#top', 'has a path, query or fragment'],
  ['smtp://ada@localhost', 'only one of user and password'],
  ['smtp://:hunter2@localhost', 'only one of user and password'],
  ['smtp://ada:hunter2%zz@localhost', 'the password in the SMTP URL has a % that is not a valid escape'],
  ['smtp://%ff:hunter2@localhost', 'the user in the SMTP URL has a % that is not a valid escape'],
  ['smtp://ada:hunter2@', 'the SMTP URL is not valid'],
  ['smtp://ada:hunter2/3@localhost', 'the SMTP URL is not valid'],
])('%j is rejected: %s', (url, reason) => {
  const error = errorOf(url);
  expect(error).toBeInstanceOf(SmtpUrlError);
  expect(error?.message).toContain(reason);
  // The message is a single line, and does not contain the password `hunter2`.
  expect(error?.message).not.toMatch(/hunter2|\n/);
});

function errorOf(url: string): Error | undefined {
  try {
    createSmtpMailer(url);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : undefined;
  }
}
