import { isRecord, memberOf } from '../lib/json.js';
import { describeValue, requireKnownOptions } from '../lib/known-options.js';
import { UserError } from '../lib/user-error.js';
import { toJson } from './valid-input.js';

/*
 * Plain JavaScript can pass any options, and those of a wrong type or with a misspelled name would have no effect, or
 * fail later with an error that does not name them.
 */

/** Type that an option must have. */
export type OptionType = keyof typeof optionTypes;

const optionTypes = {
  string: { description: 'a string', isValid: (value) => typeof value === 'string' },
  'non-empty string': {
    description: 'a non-empty string',
    isValid: (value) => typeof value === 'string' && value !== '',
  },
  boolean: { description: 'true or false', isValid: (value) => typeof value === 'boolean' },
  function: { description: 'a function', isValid: (value) => typeof value === 'function' },
  array: { description: 'an array', isValid: Array.isArray },
  'string or strings': {
    description: 'a string or an array of strings',
    isValid: (value) => [value].flat().every((item) => typeof item === 'string'),
  },
} as const satisfies Record<string, { description: string; isValid: (value: unknown) => boolean }>;

/** @throws UserError if an option that is not undefined has another type */
export function requireOptionTypes(options: object, types: Readonly<Record<string, OptionType>>): void {
  for (const [name, type] of Object.entries(types)) {
    const value = memberOf(options, name);
    const { description, isValid } = optionTypes[type];
    if (value === undefined || isValid(value)) continue;
    throw new UserError(`${name} must be ${description}, not ${describeValue(value)}`);
  }
}

/**
 * Reads the timeout of a method that waits, and refuses unknown options.
 * @param maxMs maximum of the timeout, if the method has one
 * @param otherOptions an object with the names of the method's other options
 * @returns whole milliseconds
 * @throws RangeError; UserError for an unknown option
 */
export function readTimeout(
  options: { readonly timeout?: number },
  defaultMs: number,
  {
    maxMs = Number.POSITIVE_INFINITY,
    otherOptions = {},
  }: { readonly maxMs?: number; readonly otherOptions?: object } = {},
): number {
  requireKnownOptions(options, { timeout: true, ...otherOptions });
  const { timeout = defaultMs } = options;
  if (typeof timeout === 'number' && timeout >= 0 && timeout <= maxMs) return Math.ceil(timeout);
  const range = Number.isFinite(maxMs) ? `from 0 to ${maxMs}` : '0 or more';
  throw new RangeError(`timeout must be a number of milliseconds, ${range}`);
}

/** Returns the id or name of a record. @throws UserError if it is neither a number nor a string, such as undefined */
export function requireId<Id extends number | string>(id: Id | undefined): Id {
  if (typeof id === 'number' || typeof id === 'string') return id;
  throw new UserError(`the id or name of the record must be a number or a string, not ${describeValue(id)}`);
}

/** @throws UserError */
export function requireTracePath(path: unknown): void {
  if (typeof path === 'string' && path !== '') return;
  throw new UserError(
    `the path of the trace must be a non-empty string such as 'trace.html', not ${describeValue(path)}`,
  );
}

/**
 * Checks only that the seed is a name, a path, or an object that can be written as JSON; its records are checked where it
 * is read.
 * @throws UserError
 */
export function requireSeed(seed: unknown): void {
  if (seed === undefined || typeof seed === 'string') return;
  if (!isRecord(seed)) {
    throw new UserError(
      `seed must be \`demo\`, \`empty\`, the path of a file or an object with records, not ${describeValue(seed)}`,
    );
  }
  toJson(seed);
}

/**
 * Checks only that the profile is an object that can be written as JSON; its choices are checked where it is resolved.
 * @throws UserError
 */
export function requireChoices(profile: unknown): void {
  if (profile === undefined) return;
  if (isRecord(profile)) {
    toJson(profile);
    return;
  }
  const example = "{ 'list.order': 'oldest-first' }";
  throw new UserError(`profile must be an object of choices, such as ${example}, not ${describeValue(profile)}`);
}

/** @throws UserError */
export function requirePort(port: unknown): void {
  if (port === undefined || (Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535)) return;
  throw new UserError(`port must be an integer from 0 to 65535, not ${describeValue(port)}`);
}
