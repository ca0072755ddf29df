import { Command } from 'commander';
import { expect, test } from 'vitest';
import {
  readAmount,
  readControlToken,
  readDateOrTime,
  readDeliveryId,
  readDepositId,
  readDuration,
  readEvents,
  readHostName,
  readHttpUrl,
  readInteger,
  readInvoiceId,
  readLimit,
  readName,
  readOutputFile,
  readPaymentId,
  readPaymentLinkId,
  readPort,
  readSimulatorUrl,
  readTimeout,
  repeatable,
} from '../../src/commands/support/arguments.js';

const readHttpUrlText = (text: string): string => readHttpUrl(text).href;

type Reader = (text: string) => unknown;

test.each<[read: Reader, text: string, value: unknown]>([
  [readDuration, '8d', '8d'],
  [readDuration, '2h 30m', '2h 30m'],
  [readDuration, 'P8D', 'P8D'],
  [readDateOrTime, '2026-03-01T09:00:00.5+01:00', '2026-03-01T09:00:00.5+01:00'],
  [readDateOrTime, '2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z'],
  [readDateOrTime, '2026-03-01', '2026-03-01'],
  [readSimulatorUrl, 'http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
  [readSimulatorUrl, 'https://build-7/sim/', 'https://build-7/sim'],
  [readHttpUrlText, 'http://LOCALHOST:3000/webhooks?a=b', 'http://localhost:3000/webhooks?a=b'],
  [readSimulatorUrl, '4010', 'http://localhost:4010'],
  [readSimulatorUrl, 'build-7:4010/api/v1', 'http://build-7:4010'],
  [readHttpUrlText, 'localhost:3000/webhooks?a=b', 'http://localhost:3000/webhooks?a=b'],
  [readHttpUrlText, '[::1]:3000', 'http://[::1]:3000/'],
  [readLimit, '1', 1],
  [readLimit, '10000', 10_000],
  [readDepositId, '8', 8],
  [readDepositId, 'dep_4fc82b26', 'dep_4fc82b26'],
  [readDepositId, '3f0a2b9c-1d2e-4f5a-8b6c-7d8e9f0a1b2c', '3f0a2b9c-1d2e-4f5a-8b6c-7d8e9f0a1b2c'],
  [readDeliveryId, 'evt_5f2b51ca2b0a8b9c1f6f3b6e', 'evt_5f2b51ca2b0a8b9c1f6f3b6e'],
  [readSimulatorUrl, 'http://127.0.0.1:4010/api/v1', 'http://127.0.0.1:4010'],
  [readSimulatorUrl, 'http://127.0.0.1:4010/api/v1/', 'http://127.0.0.1:4010'],
  [readSimulatorUrl, 'https://a.example/sim/', 'https://a.example/sim'],
  [readSimulatorUrl, 'http://127.0.0.1:4010/_sim', 'http://127.0.0.1:4010'],
  [readControlToken, 'a!~b', 'a!~b'],
  [readInteger, '12', 12],
  [readEvents, 'deposit.created, payment.succeeded', ['deposit.created', 'payment.succeeded']],
  [readOutputFile, 'trace.html', 'trace.html'],
  [readHostName, 'Build-7', 'Build-7'],
  [readHostName, '10.0.0.7', '10.0.0.7'],
  [readHostName, '[fd00::1]', '[fd00::1]'],
  [readPort, '0', 0],
  [readPort, '65535', 65_535],
  [readAmount, '50', 50],
  [readAmount, '49.90', 49.9],
])('%o accepts %j and returns %j', (read, text, value) => {
  expect(read(text)).toEqual(value);
});

/** Returns a test case for each text that the reader must reject with this problem. */
const invalidValues = (read: Reader, texts: readonly string[], problem: string): [Reader, string, string][] =>
  texts.map((text) => [read, text, problem]);

const nameProblem =
  'expected 1 to 63 lowercase letters, digits, hyphens and underscores, beginning with a letter or digit';
/** The beginning of the problem, which lists all events. */
const eventProblem = 'expected one of payment.succeeded, deposit.created,';
const durationProblem = 'expected a duration of up to 1,000 years, for example 8d, 2h 30m or P8D';

test.each<[read: Reader, text: string, problem: string]>([
  ...invalidValues(readDuration, ['', '8', 'eight days', '-1d', '730500d'], durationProblem),
  ...invalidValues(
    readDuration,
    ['P1M', '2 years'],
    `${durationProblem}; months and years differ in length, so write them in days`,
  ),
  ...invalidValues(
    readTimeout,
    ['', '30', '0', '0s', '11m', '900d', '1 year'],
    'expected a duration from 1ms to 10m, for example 30s',
  ),
  ...invalidValues(
    readDateOrTime,
    ['yesterday', '2026-02-30', '2026-13-01', '1969-12-31', '2026-03-01T09:00:00'],
    'expected a date, or a time with a UTC offset, for example 2026-03-01 or 2026-03-01T09:00:00Z',
  ),
  ...invalidValues(
    readSimulatorUrl,
    ['', 'localhost', 'build-7/sim', 'sim.example:4010', 'user:4010@build-7', 'ftp://a/', 'ftp://a:99999'],
    'expected a URL that begins with http:// or https://, or a local host and port',
  ),
  ...invalidValues(
    readSimulatorUrl,
    [
      '99999',
      'localhost:99999',
      'http://127.0.0.1:99999',
      'HTTP://[::1]:65536/_sim',
      'https://user:secret@build-7:http?a=b',
      'http://a:-1#b',
    ],
    'expected a port from 0 to 65535 in the URL',
  ),
  ...invalidValues(
    readSimulatorUrl,
    ['http://', 'https://?a=b', 'http://build 7:4010', 'http://[::1', 'http://a b:99999'],
    'expected a valid host name or address in the URL',
  ),
  ...invalidValues(
    readSimulatorUrl,
    ['http://127.0.0.1:4010/?a=b', 'http://127.0.0.1:4010?', 'http://127.0.0.1:4010/_sim#b'],
    'expected a URL without a query or fragment',
  ),
  ...invalidValues(readControlToken, ['', 'a b', 'ü', 'a\n'], 'expected ASCII characters without spaces'),
  ...invalidValues(
    readHostName,
    ['http://build-7', 'build-7:4010', 'build-7/dashboard', '*.example.com', 'fd00::1', '[fd00::1]:4010', 'bücher'],
    'expected a host name or address without a scheme, port or path, for example build-7 or [fd00::1]',
  ),
  [readOutputFile, '-', 'expected the name of a file, not `-` (standard output)'],
  ...invalidValues(readName, ['', '-a', 'A', 'a'.repeat(64)], nameProblem),
  [readDepositId, 'x8', 'expected the id of a deposit, for example 8; billing-sim deposit list shows the ids'],
  [
    readDepositId,
    '1234567890123456',
    'expected the id of a deposit, for example 8; billing-sim deposit list shows the ids',
  ],
  [readInvoiceId, 'R-2041', 'expected the id of an invoice, for example 8; billing-sim invoice list shows the ids'],
  [readPaymentId, 'x', 'expected the id of a payment, for example 8; billing-sim payment list shows the ids'],
  [
    readPaymentLinkId,
    'x',
    'expected the id of a payment link, for example 8; billing-sim payment-link list shows the ids',
  ],
  [readDeliveryId, '8', 'expected the id of a delivery, for example evt_5f2b51ca2b0a8b9c1f6f3b6e'],
  [readLimit, '0', 'expected a whole number from 1 to 10,000'],
  [readLimit, '10001', 'expected a whole number from 1 to 10,000'],
  [readLimit, '1.5', 'expected a whole number from 1 to 10,000'],
  [readInteger, 'three', 'expected a whole number, for example 8'],
  ...invalidValues(readEvents, ['', 'deposit.created,deposit.gone'], eventProblem),
  [readPort, '65536', 'expected a port from 0 to 65535'],
  [readPort, '', 'expected a port from 0 to 65535'],
  [readAmount, '1.9999', 'expected an amount, for example 50 or 49.90'],
  [readAmount, '-5', 'expected an amount, for example 50 or 49.90'],
  [readAmount, '1e3', 'expected an amount, for example 50 or 49.90'],
])('%o rejects %j', (read, text, problem) => {
  expect(() => read(text)).toThrow(problem);
});

test('a repeatable option collects its values in order', () => {
  const command = new Command().addOption(repeatable('--host <name>', 'a host'));
  command.parse(['--host', 'a', '--host', 'b'], { from: 'user' });
  expect(command.opts()).toEqual({ host: ['a', 'b'] });
});
