import { InvalidArgumentError } from 'commander';
import { type EventName, eventNames } from '../../domain/records.js';
import { calendarHint, parseDuration } from '../../lib/durations.js';

/** Checks a duration such as `8d`, and returns it as written. */
export function readDuration(text: string): string {
  if (parseDuration(text) === undefined) {
    throw new InvalidArgumentError(
      `expected a duration of up to 1,000 years, for example 8d, 2h 30m or P8D${calendarHint(text)}`,
    );
  }
  return text;
}

/** Reads a duration as milliseconds, up to the longest delay of a timer. */
export function readTimeout(text: string): number {
  const duration = parseDuration(readDuration(text)) ?? 0;
  if (!(duration >= 1 && duration <= 600_000)) {
    throw new InvalidArgumentError('expected a duration of up to 10m, for example 30s');
  }
  return duration;
}

/** Checks a time, and returns it as written. */
export function readMoment(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(text) || Number.isNaN(Date.parse(text))) {
    throw new InvalidArgumentError('expected a time, for example 2026-03-01T09:00:00Z');
  }
  return text;
}

/** Reads an account id. An empty environment variable is an error. */
export function readAccount(text: string): string {
  if (text === '') throw new InvalidArgumentError('expected the id of an account, for example demo');
  return text;
}

/** Reads the URL of a simulator, without a trailing slash. */
export function readUrl(text: string): string {
  return readHttpUrl(text).href.replace(/\/$/, '');
}

export function readHttpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new InvalidArgumentError('expected a URL that begins with http:// or https://');
  }
  return url;
}

export function readCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (!(count >= 1 && count <= 10_000)) throw new InvalidArgumentError('expected a whole number from 1 to 10000');
  return count;
}

/** Reads an id of a deposit: a number, if it looks like one. */
export function readId(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** Reads an id of any other record. */
export function readNumber(text: string): number {
  const id = readId(text);
  if (typeof id === 'string') throw new InvalidArgumentError('expected a number');
  return id;
}

export function readEvent(text: string): EventName {
  const event = eventNames.find((name) => name === text);
  if (!event) throw new InvalidArgumentError(`expected one of ${eventNames.join(', ')}`);
  return event;
}

export function readAmount(text: string): number {
  if (!/^\d{1,10}(\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError('expected an amount, for example 50 or 49.90');
  return Number(text);
}

export function readEvents(text: string): EventName[] {
  return text.split(',').map((name) => readEvent(name.trim()));
}

/** Adds `KEY=VALUE` to those given before. */
export function addPair(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('expected KEY=VALUE, for example amount=300');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Reads a number from 0 to 1. */
export function readPortion(text: string): number {
  if (!/^(?:0?\.\d{1,9}|[01](?:\.0{1,9})?)$/.test(text))
    throw new InvalidArgumentError('expected a number from 0 to 1');
  return Number(text);
}

export function readPort(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('expected a port from 0 to 65535');
  return port;
}

/** Collects the values of an option that may be repeated. */
export function repeated(value: string, all: readonly string[]): string[] {
  return [...all, value];
}
