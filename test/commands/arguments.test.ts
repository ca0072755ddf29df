import { expect, test } from 'vitest';
import {
  readAccount,
  readAmount,
  readCount,
  readDuration,
  readEvents,
  readHttpUrl,
  readId,
  readMoment,
  readNumber,
  readPort,
  readUrl,
  repeated,
} from '../../src/commands/support/arguments.js';

const url = (text: string): string => readHttpUrl(text).href;

test.each<[(text: string) => unknown, string, unknown]>([
  [readDuration, '8d', '8d'],
  [readDuration, '2h 30m', '2h 30m'],
  [readDuration, 'P8D', 'P8D'],
  [readMoment, '2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z'],
  [readMoment, '2026-03-01T09:00:00.5+01:00', '2026-03-01T09:00:00.5+01:00'],
  [readUrl, 'http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
  [readUrl, 'https://build-7/sim/', 'https://build-7/sim'],
  [url, 'http://LOCALHOST:3000/webhooks?a=b', 'http://localhost:3000/webhooks?a=b'],
  [readCount, '1', 1],
  [readCount, '10000', 10_000],
  [readId, '8', 8],
  [readId, 'dep_4fc82b26', 'dep_4fc82b26'],
  [readId, '1234567890123456', '1234567890123456'],
  [readNumber, '12', 12],
  [readEvents, 'deposit.created, payment.succeeded', ['deposit.created', 'payment.succeeded']],
  [readPort, '0', 0],
  [readPort, '65535', 65_535],
  [readAmount, '50', 50],
  [readAmount, '49.90', 49.9],
])('%o takes %j', (read, text, value) => {
  expect(read(text)).toEqual(value);
});

test.each<[(text: string) => unknown, string, string]>([
  ...['', '8', 'eight days', '-1d', '730500d'].map((text): [(text: string) => unknown, string, string] => [
    readDuration,
    text,
    'expected a duration of up to 1,000 years, for example 8d, 2h 30m or P8D',
  ]),
  ...['P1M', '2 years'].map((text): [(text: string) => unknown, string, string] => [
    readDuration,
    text,
    'expected a duration of up to 1,000 years, for example 8d, 2h 30m or P8D; months and years differ in length, so write them in days',
  ]),
  ...['yesterday', '2026-03-01', '2026-03-01T09:00:00', '2026-02-30T99:00:00Z'].map(
    (text): [(text: string) => unknown, string, string] => [
      readMoment,
      text,
      'expected a time, for example 2026-03-01T09:00:00Z',
    ],
  ),
  ...['', 'localhost:4010', '127.0.0.1:4010', 'ftp://a/', 'http://'].map(
    (text): [(text: string) => unknown, string, string] => [
      readUrl,
      text,
      'expected a URL that begins with http:// or https://',
    ],
  ),
  [readAccount, '', 'expected the id of an account, for example demo'],
  [readCount, '0', 'expected a whole number from 1 to 10000'],
  [readCount, '10001', 'expected a whole number from 1 to 10000'],
  [readCount, '1.5', 'expected a whole number from 1 to 10000'],
  [readNumber, 'three', 'expected a number'],
  [readEvents, 'deposit.created,deposit.gone', 'expected one of payment.succeeded, deposit.created,'],
  [readEvents, '', 'expected one of payment.succeeded, deposit.created,'],
  [readPort, '65536', 'expected a port from 0 to 65535'],
  [readPort, '', 'expected a port from 0 to 65535'],
  [readAmount, '1.9999', 'expected an amount, for example 50 or 49.90'],
  [readAmount, '-5', 'expected an amount, for example 50 or 49.90'],
  [readAmount, '1e3', 'expected an amount, for example 50 or 49.90'],
])('%o refuses %j', (read, text, problem) => {
  expect(() => read(text)).toThrow(problem);
});

test('the values of an option that may be repeated are collected in their order', () => {
  expect(['a', 'b'].reduce<readonly string[]>((all, value) => repeated(value, all), [])).toEqual(['a', 'b']);
});
