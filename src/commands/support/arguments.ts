import { InvalidArgumentError, Option } from 'commander';
import { parseDateOrTime } from '../../domain/dates.js';
import { requestMethods } from '../../domain/faults.js';
import { namePattern } from '../../domain/name-pattern.js';
import { type EventName, eventNames } from '../../domain/records.js';
import { expectedBearerToken, isBearerToken } from '../../lib/bearer-token.js';
import { didYouMean } from '../../lib/did-you-mean.js';
import { invalidDurationHint, parseDuration } from '../../lib/durations.js';
import { expectedHostName, isHostName } from '../../lib/host-name.js';
import { addMissingScheme } from '../../lib/missing-scheme.js';
import { parseUrl } from '../../lib/parse-url.js';
import { withoutTrailingSlashes } from '../../lib/path-template.js';
import { maxPageSize } from './output.js';

/** Checks a duration such as `8d`, and returns it unchanged. */
export function readDuration(text: string): string {
  if (parseDuration(text) === undefined) {
    throw new InvalidArgumentError(
      `expected a duration of up to 1,000 years, for example 8d, 2h 30m or P8D${invalidDurationHint(text)}`,
    );
  }
  return text;
}

/** Ten minutes. */
const maxTimeoutMs = 600_000;

/** Reads a duration from 1 ms to 10 minutes. @returns milliseconds */
export function readTimeout(text: string): number {
  const duration = parseDuration(text) ?? 0;
  if (!(duration >= 1 && duration <= maxTimeoutMs)) {
    throw new InvalidArgumentError('expected a duration from 1ms to 10m, for example 30s');
  }
  return duration;
}

/** Checks a time or a date, and returns it unchanged. A date means midnight UTC. */
export function readDateOrTime(text: string): string {
  if (parseDateOrTime(text) === undefined) {
    throw new InvalidArgumentError(
      'expected a date, or a time with a UTC offset, for example 2026-03-01 or 2026-03-01T09:00:00Z',
    );
  }
  return text;
}

/**
 * Checks the name of a file to write, and returns it unchanged. Rejects `-`: users would mean standard output, but get
 * a file of that name.
 */
export function readOutputFile(text: string): string {
  if (text === '-') throw new InvalidArgumentError('expected the name of a file, not `-` (standard output)');
  return text;
}

/** Reads the URL of a simulator. Removes trailing slashes, and the path of the service or the control API. */
export function readSimulatorUrl(text: string): string {
  const { href } = readHttpUrl(text);
  if (/[?#]/.test(href)) throw new InvalidArgumentError('expected a URL without a query or fragment');
  return withoutTrailingSlashes(withoutTrailingSlashes(href).replace(/\/(?:api\/v1|_sim)$/, ''));
}

/** Checks a bearer token, and returns it unchanged. */
export function readControlToken(text: string): string {
  if (!isBearerToken(text)) throw new InvalidArgumentError(`expected ${expectedBearerToken}`);
  return text;
}

/** Reads an http: or https: URL. `localhost:3000/hooks` is short for `http://localhost:3000/hooks`, and so is a port. */
export function readHttpUrl(shortText: string): URL {
  const text = addMissingScheme(shortText);
  const url = parseUrl(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  if (!/^https?:\/\//i.test(text)) {
    throw new InvalidArgumentError('expected a URL that begins with http:// or https://, or a local host and port');
  }
  // The port is the problem if the URL is valid without it.
  const textWithoutPort = text.replace(/^([^/]+\/\/[^/?#]*):[^:/?#\]]*/, '$1');
  throw new InvalidArgumentError(
    parseUrl(textWithoutPort)
      ? 'expected a port from 0 to 65535 in the URL'
      : 'expected a valid host name or address in the URL',
  );
}

/** Reads the maximum number of entries to show. */
export function readLimit(text: string): number {
  return readIntegerUpTo(maxPageSize, text);
}

/** Reads a whole number from 1 to 1,000,000, which is the maximum of the counts of a fault. */
export function readFaultCount(text: string): number {
  return readIntegerUpTo(1_000_000, text);
}

function readIntegerUpTo(maximum: number, text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > maximum)
    throw new InvalidArgumentError(`expected a whole number from 1 to ${maximum.toLocaleString('en')}`);
  return count;
}

/** Reads the id of a deposit: a number, a UUID or `dep_…`. Which of these an account uses depends on its profile. */
export function readDepositId(text: string): number | string {
  if (isInteger(text)) return Number(text);
  if (/^(?:dep_[0-9a-z]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(text)) return text;
  throw new InvalidArgumentError(expectedId('a deposit', 'deposit'));
}

/** Checks a status to filter requests by, or a class of statuses such as `4xx`, and returns it unchanged. */
export function readStatusFilter(text: string): string {
  if (!/^[1-5](?:\d\d|xx)$/.test(text)) {
    throw new InvalidArgumentError('expected a status such as 404, or a class such as 4xx');
  }
  return text;
}

/** Reads the status of a fault: a number, or a class of statuses such as `4xx`. The simulator validates it. */
export function readFaultStatus(text: string): number | string {
  return isInteger(text) ? Number(text) : text;
}

/**
 * Reads a whole number of 0 or more, such as the number of a fault. For a page size or a limit, use `readLimit`.
 */
export function readInteger(text: string): number {
  if (!isInteger(text)) throw new InvalidArgumentError('expected a whole number, for example 8');
  return Number(text);
}

export const readInvoiceId = idReader('an invoice', 'invoice');
export const readPaymentId = idReader('a payment', 'payment');
export const readPaymentLinkId = idReader('a payment link', 'payment-link');

function idReader(kind: string, command: string): (text: string) => number {
  return (text) => {
    if (!isInteger(text)) throw new InvalidArgumentError(expectedId(kind, command));
    return Number(text);
  };
}

/** Says where to find ids, since users often know only the number of an invoice or the reference of a booking. */
function expectedId(kind: string, command: string): string {
  return `expected the id of ${kind}, for example 8; billing-sim ${command} list shows the ids`;
}

/** Returns true if a string is a whole number of up to 15 digits, which JavaScript represents exactly. */
function isInteger(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

/** Checks the id of a delivery, which is also the id of its event. */
export function readDeliveryId(text: string): string {
  if (!/^evt_[0-9a-f]{24}$/.test(text)) {
    throw new InvalidArgumentError('expected the id of a delivery, for example evt_5f2b51ca2b0a8b9c1f6f3b6e');
  }
  return text;
}

/** Checks the id of a request, which is also its `X-Request-Id`. */
export function readRequestId(text: string): string {
  if (!/^req_\d{1,15}$/.test(text)) throw new InvalidArgumentError('expected the id of a request, for example req_1');
  return text;
}

/** Checks the name of an account or a snapshot. */
export function readName(text: string): string {
  if (!namePattern.test(text)) {
    throw new InvalidArgumentError(
      'expected 1 to 63 lowercase letters, digits, hyphens and underscores, beginning with a letter or digit',
    );
  }
  return text;
}

export function readEvent(text: string): EventName {
  return readChoice(text, eventNames);
}

/** Reads an HTTP method in upper or lower case. @returns the method in upper case */
export function readMethod(text: string): string {
  return readChoice(text.toUpperCase(), requestMethods);
}

export function readAmount(text: string): number {
  if (!/^\d{1,10}(\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError('expected an amount, for example 50 or 49.90');
  return Number(text);
}

/** Reads names of events, separated by commas, and adds them to those from earlier uses of a repeated option. */
export function readEvents(text: string, earlier: readonly EventName[] = []): EventName[] {
  return [...earlier, ...text.split(',').map((name) => readEvent(name.trim()))];
}

/** Adds `KEY=VALUE` to the pairs from earlier uses of a repeated option. Each key may be given only once. */
export function addPair(text: string, earlier: Readonly<Record<string, string>> = {}): Record<string, string> {
  const separator = text.indexOf('=');
  if (separator < 1) throw new InvalidArgumentError('expected KEY=VALUE, for example amount=300');
  const key = text.slice(0, separator);
  if (Object.hasOwn(earlier, key)) {
    throw new InvalidArgumentError(`${key} already has the value ${earlier[key]}; give each key once`);
  }
  return { ...earlier, [key]: text.slice(separator + 1) };
}

/** Reads a number from 0 to 1. */
export function readProbability(text: string): number {
  if (!/^(?:0?\.\d{1,9}|[01](?:\.0{1,9})?)$/.test(text))
    throw new InvalidArgumentError('expected a number from 0 to 1');
  return Number(text);
}

export function readPort(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('expected a port from 0 to 65535');
  return port;
}

/** Checks a host as a Host header names it, without the port, and returns it unchanged. */
export function readHostName(text: string): string {
  if (!isHostName(text)) throw new InvalidArgumentError(`expected ${expectedHostName}`);
  return text;
}

const repeatableOptions = new WeakSet<Option>();

/**
 * Creates an option that may be repeated. Its values are separated by commas in an environment variable, and are a list
 * in a configuration file.
 * @param read parses one value; throws InvalidArgumentError
 */
export function repeatable(
  flags: string,
  description: string,
  read: (text: string) => string = (text) => text,
): Option {
  const collect = (text: string, earlier: readonly string[] = []): string[] => [...earlier, read(text)];
  return markRepeatable(new Option(flags, `${description}; may be repeated`).argParser(collect));
}

/** Marks an option whose parser collects the values of repeated uses. */
export function markRepeatable(option: Option): Option {
  repeatableOptions.add(option);
  return option;
}

export function isRepeatable(option: Option): boolean {
  return repeatableOptions.has(option);
}

/** Limits an option to some values. The error for any other value suggests the nearest one. */
export function withChoices(option: Option, values: readonly string[]): Option {
  return option.choices(values).argParser((text: string) => readChoice(text, values));
}

/** Reads one of several names. */
export function readChoice<Name extends string>(text: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text);
  if (found === undefined)
    throw new InvalidArgumentError(
      `expected one of ${names.join(', ')}${didYouMean(text, names, { listKnown: 'never' })}`,
    );
  return found;
}
