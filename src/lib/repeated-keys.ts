import { parseJson } from './json.js';

/** A key that its object already has. JSON.parse keeps only the last value of such a key, without an error. */
export interface RepeatedKey {
  readonly key: string;
  /** Counts from 1. */
  readonly line: number;
}

/**
 * Finds repeated keys in the objects of a JSON text.
 * @param json must be valid
 * @param options.inArrays false to skip the objects in arrays, which saves time for a large text
 */
export function repeatedKeys(json: string, { inArrays }: { readonly inArrays: boolean }): RepeatedKey[] {
  const repeated: RepeatedKey[] = [];
  /** The keys of each object that contains the current position, outermost first. */
  const enclosingObjects: Set<string>[] = [];
  /** Number of arrays to skip that contain the current position. */
  let arrayDepth = 0;
  let line = 1;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '\n') line += 1;
    else if (character === '[' && !inArrays) arrayDepth += 1;
    else if (character === ']' && !inArrays) arrayDepth -= 1;
    else if (character === '"') {
      const end = endOfString(json, at);
      if (arrayDepth === 0 && isBeforeColon(json, end)) {
        const key = String(parseJson(json.slice(at, end)));
        const keys = enclosingObjects.at(-1);
        if (keys?.has(key)) repeated.push({ key, line });
        keys?.add(key);
      }
      at = end - 1;
    } else if (arrayDepth === 0 && character === '{') enclosingObjects.push(new Set());
    else if (arrayDepth === 0 && character === '}') enclosingObjects.pop();
  }
  return repeated;
}

/** Index after the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isBeforeColon(json: string, index: number): boolean {
  const colon = /\s*:/y;
  colon.lastIndex = index;
  return colon.test(json);
}
