import type { ErrorObject } from 'ajv/dist/2020.js';
import { durationHint } from '../lib/durations.js';
import { isDeeperThan, parseJson } from '../lib/json.js';
import { firstSchemaError } from '../lib/schema-errors.js';
import { InputError } from '../lib/user-error.js';

/**
 * Thrown for a value that is not a valid fault. The message is one line, usually a location and the reason:
 * `match.every: must be 1 or more`.
 */
export class FaultError extends InputError {
  override readonly name = 'FaultError';
}

/** Returns the first of several errors about a fault, with the others. */
export function joinErrors([first, ...others]: readonly FaultError[]): FaultError {
  if (!first) throw new Error('expected at least one error');
  return others.length === 0 ? first : new FaultError(first.path, first.message, others);
}

/** Converts all schema errors about a fault. A misspelled key, for example, causes several with the same message. */
export function schemaErrors(errors: readonly ErrorObject[]): FaultError[] {
  const converted = errors.map((error) => faultError([], [error]));
  return converted.filter(({ message }, index) => converted.findIndex((other) => other.message === message) === index);
}

/** Maximum nesting depth of a fault. Recursion over a deeper value could overflow the stack. */
export const maxDepth = 20;

/** Copies a value through JSON, since faults are stored as JSON. @throws FaultError */
export function toJson(value: unknown, path: readonly string[]): unknown {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    // Before Node 26, JSON.stringify overflows the stack for a deep value.
    throw error instanceof RangeError ? tooDeepError(path) : new FaultError(path, 'cannot be written as JSON');
  }
  return requireFlat(parseJson(json ?? 'null'), path);
}

/** Returns the value unchanged. @throws FaultError if it is nested too deeply */
export function requireFlat<Value>(value: Value, path: readonly string[]): Value {
  if (isDeeperThan(maxDepth, value)) throw tooDeepError(path);
  return value;
}

export function tooDeepError(path: readonly string[]): FaultError {
  return new FaultError(path, `must not be nested more than ${maxDepth} levels deep`);
}

/**
 * Words that messages use instead of keys: "unknown way `x`" for the `how` option of malformed-json, "unknown value
 * `x`" for the `what` option of drop, "unknown operation `x`" for `op` of a JSON Patch.
 */
const keyNames = { how: 'way', what: 'value', op: 'operation' };

/**
 * Converts schema errors to a `FaultError`.
 * @param within location that the message shows before the location of the error
 * @param path location of the checked value in the whole fault
 * @param hint text to append to the reason; empty for none
 */
export function faultError(
  within: readonly string[],
  errors: readonly ErrorObject[],
  path = within,
  hint = '',
): FaultError {
  const error = firstSchemaError(errors, keyNames, durationHint);
  const reason = `${error.reason}${hint}`;
  const location = [...within, ...error.shownPath].join('.');
  return new FaultError([...path, ...error.path], location === '' ? reason : `${location}: ${reason}`);
}
