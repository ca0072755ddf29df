import { inspect } from 'node:util';
import { didYouMean } from './did-you-mean.js';
import { isRecord } from './json.js';
import { quote, shortenToLine } from './messages.js';
import { UserError } from './user-error.js';

/**
 * @param names an object that has the names as keys
 * @throws UserError if the options are not an object, or have an unknown name
 */
export function requireKnownOptions(options: unknown, names: object): void {
  if (!isRecord(options)) throw new UserError(`the options must be an object, not ${describeValue(options)}`);
  const unknownName = Object.keys(options).find((name) => !Object.hasOwn(names, name));
  if (unknownName === undefined) return;
  throw new UserError(`unknown option ${quote(unknownName)}${didYouMean(unknownName, Object.keys(names))}`);
}

/** Describes any value in one line for a message, even one that cannot be converted to a string. */
export function describeValue(value: unknown): string {
  return shortenToLine(inspect(value), 100);
}
