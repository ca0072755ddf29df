import { isRecord } from '../lib/is-record.js';

/** An object in a JSON document of unknown structure. */
export type Node = Readonly<Record<string, unknown>>;

/** The value if it is an object; otherwise an empty object. */
export function nodeOf(value: unknown): Node {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Strings of a list. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((one) => typeof one === 'string');
}
