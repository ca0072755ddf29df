import { isRecord } from '../lib/json.js';

/** An object in a JSON document of unknown structure. */
export type Node = Readonly<Record<string, unknown>>;

/** Returns the value if it is an object; otherwise an empty object. */
export function nodeOf(value: unknown): Node {
  return isRecord(value) ? value : {};
}

/** Returns the value if it is an array; otherwise an empty array. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Visits the objects of a JSON document, each before the objects inside it. Objects that `visit` inserts into
 * the visited one are visited, too.
 */
export function forEachNode(value: unknown, visit: (node: Node) => void): void {
  if (isRecord(value)) visit(value);
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) forEachNode(inner, visit);
}

/** Returns the strings in a list; empty for any other value. */
export function stringsOf(value: unknown): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string');
}
