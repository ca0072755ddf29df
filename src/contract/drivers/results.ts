import { isRecord, memberOf } from '../../lib/json.js';
import { DriverError, type DriverMethod } from './driver.js';

/** Reads the id of the new customer from the result of `createCustomer`. @throws DriverError if it has no integer id */
export function customerIdIn(result: unknown): number | bigint {
  const id = memberOf(result, 'id');
  if (typeof id === 'bigint' || (typeof id === 'number' && Number.isSafeInteger(id))) return id;
  throw malformedResult('createCustomer', result, 'id', 'an integer');
}

/** Reads the new secret from the result of `rotateWebhookSecret`. @throws DriverError if it has none */
export function secretIn(result: unknown): string {
  const secret = memberOf(result, 'secret');
  if (typeof secret === 'string' && secret !== '') return secret;
  throw malformedResult('rotateWebhookSecret', result, 'secret', 'a string that is not empty');
}

function malformedResult(method: DriverMethod, result: unknown, field: string, expected: string): DriverError {
  return new DriverError(
    `the driver's ${method}() must return an object whose \`${field}\` is ${expected}, but returned ${describeResult(result, field)}`,
  );
}

/** Describes a result without its values, which may be secrets. */
function describeResult(result: unknown, field: string): string {
  if (result === undefined) return 'nothing';
  if (!isRecord(result)) return describeType(result);
  if (Object.hasOwn(result, field)) return `an object whose \`${field}\` is ${describeType(result[field])}`;
  const names = Object.keys(result);
  return names.length === 0 ? 'an empty object' : `an object with \`${names.join('`, `')}\``;
}

function describeType(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return 'an array';
  if (Number.isSafeInteger(value)) return 'an integer';
  if (Number.isInteger(value)) return 'an integer that a number cannot hold exactly: return a BigInt';
  if (typeof value === 'number') return 'a number that is not an integer';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
