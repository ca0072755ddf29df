import { parse, stringify } from 'lossless-json';
import { parseJson } from '../../lib/json.js';

/** A JSON object: a record that the target returned, or fields of a request body. */
export type JsonObject = Record<string, unknown>;

/** Matches 16 consecutive digits: if they are a number, a double may not hold it exactly. */
const longDigitSequence = /\d{16}/;

/**
 * Parses JSON. Integers outside the safe range of numbers (beyond 2^53) become bigints, so that large ids stay exact.
 * @returns undefined if the text is not JSON
 */
export function parseExactJson(text: string): unknown {
  try {
    return longDigitSequence.test(text) ? parse(text, null, numberOf) : parseJson(text);
  } catch {
    return undefined;
  }
}

function numberOf(text: string): number | bigint {
  const number = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}

/** Serializes a value as JSON; bigints become integers. Undefined for values that JSON cannot represent. */
export function formatExactJson(value: unknown): string | undefined {
  return hasBigint(value) ? stringify(value) : JSON.stringify(value);
}

function hasBigint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(hasBigint);
}
