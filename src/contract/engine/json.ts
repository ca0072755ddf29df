import { parse, stringify } from 'lossless-json';

/** A number of more digits than a double keeps may be among these. */
const mayBeInexact = /\d{16}/;

/** The value of a JSON text, in which integers beyond 2^53 are bigints; undefined if the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return mayBeInexact.test(text) ? parse(text, null, numberOf) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function numberOf(text: string): number | bigint {
  const number = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}

/** The JSON text of a value, in which bigints are integers; undefined for what JSON cannot say. */
export function jsonText(value: unknown): string | undefined {
  return hasBigint(value) ? stringify(value) : JSON.stringify(value);
}

function hasBigint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(hasBigint);
}
