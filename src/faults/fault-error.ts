import type { ErrorObject } from 'ajv/dist/2020.js';
import { durationHint } from '../lib/durations.js';
import { isDeeperThan, parseJson } from '../lib/json.js';
import { pointerParts } from '../lib/json-pointer.js';
import { firstSchemaError } from '../lib/schema-errors.js';
import { InputError } from '../lib/user-error.js';

/**
 * Thrown for a value that is not a valid fault. The message is one line, usually a location and the reason:
 * `match.every: must be 1 or more`.
 */
export class FaultError extends InputError {
  override readonly name = 'FaultError';
}

/** Returns the first of several errors about a fault, with the others, and those that they were joined with before. */
export function joinErrors([first, ...rest]: readonly FaultError[]): FaultError {
  if (!first) throw new Error('expected at least one error');
  const others = [...first.others, ...rest.flatMap((error) => [error, ...error.others])];
  return rest.length === 0 ? first : new FaultError(first.path, first.message, others);
}

/** Calls a function, and returns the error if it throws one about the fault. */
export function errorsOf(check: () => unknown): FaultError[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof FaultError) return [error];
    throw error;
  }
}

/** Reads each item of a list. @throws FaultError about the first invalid one, with the errors about the others */
export function readEach<Item, Result>(items: readonly Item[], read: (item: Item, index: number) => Result): Result[] {
  const results: Result[] = [];
  const errors = items.flatMap((item, index) => errorsOf(() => results.push(read(item, index))));
  if (errors.length > 0) throw joinErrors(errors);
  return results;
}

/** Converts all schema errors about a fault. A misspelled key, for example, causes several with the same message. */
export function schemaErrors(errors: readonly ErrorObject[]): FaultError[] {
  return withoutRepeated(errors.map((error) => faultError([], [error])));
}

function withoutRepeated(errors: readonly FaultError[]): FaultError[] {
  return errors.filter(({ message }, index) => errors.findIndex((other) => other.message === message) === index);
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

/**
 * Converts the schema errors about the options of an effect to one error for each option, since an option such as the
 * operations of `patch` can cause several.
 * @param path location of the effect in the whole fault
 * @param hint text to append to the reason of the first error; empty for none
 */
export function optionErrors(
  effect: string,
  errors: readonly ErrorObject[],
  path: readonly string[],
  hint: string,
): FaultError {
  const errorsByOption = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    // Errors about the whole effect are about a key that is missing or unknown, which `params` contains.
    const [option = JSON.stringify(error.params)] = pointerParts(error.instancePath);
    errorsByOption.set(option, [...(errorsByOption.get(option) ?? []), error]);
  }
  const converted = [...errorsByOption.values()].map((errorsOfOption, index) =>
    faultError([effect], errorsOfOption, path, index === 0 ? hint : ''),
  );
  return joinErrors(withoutRepeated(converted));
}
