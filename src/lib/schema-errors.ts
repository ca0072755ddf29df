import type { ErrorObject } from 'ajv/dist/2020.js';
import { didYouMean } from './did-you-mean.js';
import { isRecord, memberOf } from './json.js';
import { pointerParts } from './json-pointer.js';
import { conjunction, disjunction, quote, shortenToLine } from './messages.js';

/** Error in a value that does not match its schema. */
export interface SchemaError {
  /** Keys and indexes that lead to the invalid value or key: `['faults', '0', 'color']`. */
  readonly path: readonly string[];
  /**
   * Keys and indexes to show before the reason. Usually equal to `path`; without its last part if the reason itself
   * quotes the invalid key, or a string that is not in an `enum`.
   */
  readonly shownPath: readonly string[];
  readonly reason: string;
  readonly error: ErrorObject;
}

/**
 * Describes the first schema error of data that a program wrote, such as `invoices[3].amount must be number`.
 * @param name the name of the whole value in the message: `invoices[3]`
 */
export function describeDataError(
  errors: readonly (Pick<ErrorObject, 'instancePath' | 'message'> & Partial<ErrorObject>)[] | null | undefined,
  name: string,
): string {
  const [{ instancePath = '', params = {}, message = 'is not valid' } = {}] = errors ?? [];
  const place = placeOf(pointerParts(instancePath), name);
  const { additionalProperty, allowedValues }: Record<string, unknown> = params;
  if (typeof additionalProperty === 'string')
    return `${place} has the unknown property ${JSON.stringify(additionalProperty)}`;
  if (Array.isArray(allowedValues)) return `${place} must be one of ${allowedValues.join(', ')}`;
  return `${place} ${message}`;
}

/**
 * Describes the first schema error of a file that a person wrote.
 * @param keyNames words to show in messages in place of keys that are not clear by themselves
 * @param hintOf returns a hint to append to an error about the form of a value, such as "is not a duration"; an empty
 *   string if there is none
 */
export function firstSchemaError(
  errors: readonly ErrorObject[],
  keyNames: Readonly<Record<string, string>> = {},
  hintOf: (keyword: string, value: unknown) => string = () => '',
): SchemaError {
  // Ajv reports every item that does not match `contains`, and then `contains` itself, which is the error that matters.
  const error = errors.find(({ keyword }) => keyword === 'contains') ?? errors[0];
  if (!error) throw new Error('the schema rejected a value but reported no error');
  const path = pointerParts(error.instancePath);
  const { data, keyword, params } = error;
  const last = path.at(-1) ?? '';
  const properties: unknown = error.parentSchema?.['properties'];
  const knownKeys = Object.keys(isRecord(properties) ? properties : {});
  const isClosed = error.parentSchema?.['additionalProperties'] === false;
  // A misspelled key also causes an error about a missing key; only the misspelled key is reported.
  const unknownKey: unknown =
    keyword === 'required' && isClosed
      ? Object.keys(isRecord(data) ? data : {}).find((key) => !knownKeys.includes(key))
      : params['additionalProperty'];
  if (typeof unknownKey === 'string') {
    return {
      path: [...path, unknownKey],
      shownPath: path,
      reason: `unknown key ${quote(unknownKey)}${didYouMean(unknownKey, knownKeys)}`,
      error,
    };
  }
  if (error.propertyName !== undefined) {
    const name = error.propertyName;
    const reason =
      keyword === 'maxLength'
        ? `the key ${quote(name)} must have at most ${error.schema} characters`
        : `${quote(name)} is not a valid key`;
    return { path: [...path, name], shownPath: path, reason, error };
  }
  if (keyword === 'enum' && typeof data === 'string') {
    const name = /^\d+$/.test(last) ? 'item' : String(memberOf(keyNames, last) ?? last);
    const reason = `unknown ${name} ${quote(data)}${didYouMean(data, error.schema)}`;
    return { path, shownPath: path.slice(0, -1), reason, error };
  }
  return { path, shownPath: path, reason: reasonOf(error, hintOf), error };
}

/** Names a part of a value: `deposits[0].status`. @param name the name of the whole value, to put in front */
export function placeOf(path: readonly string[], name = ''): string {
  const parts = path.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${shortenToLine(part)}`));
  return `${name}${parts.join('')}`.replace(/^\./, '');
}

/** Puts the place before a reason: `deposits[0].amount: must be more than 0`. @param name the name of the whole value */
export function locatedReason(path: readonly string[], reason: string, name = ''): string {
  const place = placeOf(path, name);
  return place === '' ? reason : `${place}: ${reason}`;
}

function reasonOf(
  { data, keyword, schema, parentSchema, message }: ErrorObject,
  hintOf: (keyword: string, value: unknown) => string,
): string {
  const form: unknown = parentSchema?.['x-expected'];
  // `x-not-below` is about the size of a value in the right form.
  if (typeof form === 'string' && keyword !== 'x-not-below') {
    // If numbers are allowed, too, `"503"` may be wrong only because it is a string, so the message says "the string".
    const isNumberAllowed = [parentSchema?.['type']].flat().includes('integer');
    const text = typeof data === 'string' ? `${isNumberAllowed ? 'the string ' : ''}${quote(data)}` : kindOf(data);
    return `${text} is not a ${form}${hintOf(keyword, data)}`;
  }
  switch (keyword) {
    case 'required':
      return missingKeysReason([schema].flat(), data);
    case 'type':
      return `must be ${kindsOf(schema)}, not ${kindOf(data)}`;
    // `firstSchemaError` reports strings that are not in an `enum`.
    case 'enum':
      return `must be ${disjunction([schema].flat().map((value) => quote(String(value))))}, not ${kindOf(data)}`;
    case 'contains':
      return `must contain ${quote(String(memberOf(schema, 'const')))}`;
    // In our schemas, only names have a pattern without an `x-expected`.
    case 'pattern':
      return `${quote(String(data))} is not a valid name; use 1 to 63 lowercase letters, digits and hyphens, beginning with a letter or digit`;
    // In our schemas, these minimums are 1.
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return 'must not be empty';
    case 'maxLength':
      return `must have at most ${schema} characters`;
    case 'uniqueItems':
      return 'must not have the same item twice';
    case 'maxProperties':
      return `must have at most ${schema} keys`;
    case 'maxItems':
      return `must have at most ${schema} items`;
    case 'exclusiveMinimum':
      return `must be more than ${schema}`;
    case 'exclusiveMaximum':
      return `must be less than ${schema}`;
    case 'minimum':
      return `must be ${schema} or more`;
    case 'maximum':
      return `must be ${schema} or less`;
    // `schema` is the name of another option: the `max` of a delay must not be less than its `min`.
    case 'x-not-below':
      return `must not be less than ${quote(String(schema))}`;
    case 'x-decimal-places':
      return `must have at most ${schema} decimal places`;
    default:
      return message ?? 'is not valid';
  }
}

/** Names all missing keys of an object, since each of Ajv's errors is about one of them. */
function missingKeysReason(requiredKeys: readonly unknown[], data: unknown): string {
  const missing = requiredKeys.map(String).filter((key) => memberOf(data, key) === undefined);
  return `${conjunction(missing.map(quote))} ${missing.length === 1 ? 'is' : 'are'} missing`;
}

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'a mapping',
  string: 'a string',
};

/** Describes one or more JSON Schema types. */
function kindsOf(types: unknown): string {
  const words = [types].flat().map((type) => kinds[String(type)] ?? String(type));
  return disjunction(words);
}

/** Describes a value in a message: `a list`, `the number 5`, `true`. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'boolean') return `${value}`;
  return kinds[Array.isArray(value) ? 'array' : typeof value] ?? typeof value;
}
