import { isRecord } from '../lib/is-record.js';

/** An object of a JSON document whose form is not known beforehand. */
export type Node = Readonly<Record<string, unknown>>;

/** An object as it is; empty for anything else. */
export function nodeOf(value: unknown): Node {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((one) => typeof one === 'string');
}
