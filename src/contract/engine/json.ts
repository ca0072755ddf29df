import { parse, stringify } from 'lossless-json';
import { parseJson } from '../../lib/json.js';

/** Matches JSON that may contain a number with more than 15 digits, which a double may not hold exactly. */
const mayBeInexact = /\d{16}/;

/**
 * Parses JSON; integers beyond 2^53 become bigints, so that large ids stay exact. Undefined if the text is not JSON.
 */
export function jsonOf(text: string): unknown {
  try {
    return mayBeInexact.test(text) ? parse(text, null, numberOf) : parseJson(text);
  } catch {
    return undefined;
  }
}

function numberOf(text: string): number | bigint {
  const number = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}

/** Serializes a value as JSON; bigints become integers. Undefined for values that JSON cannot represent. */
export function jsonText(value: unknown): string | undefined {
  return hasBigint(value) ? stringify(value) : JSON.stringify(value);
}

function hasBigint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(hasBigint);
}
