import { isUtf8 } from 'node:buffer';

/** Parses JSON. The caller must check the type of the value. @throws SyntaxError */
export function parseJson(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  return JSON.parse(text, reviver);
}

/** Removes the mark with which some Windows editors begin a text file, and which JSON does not allow. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * Decodes the contents of a text file, and removes a byte order mark.
 * @throws Error if they are not UTF-8: each byte that is not would silently become another character
 */
export function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Error('the file is not UTF-8');
  return withoutByteOrderMark(bytes.toString());
}

/** Parses JSON; undefined if it is not valid. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Returns true if a value is an object with named fields: neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns a field of an object, or an item of an array. Undefined for other properties: inherited ones, and the length
 * of an array.
 */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && isEnumerable.call(value, name) ? value[name] : undefined;
}

/** Returns the items of a field that is an array; empty for other values. */
export function itemsOf(value: unknown, name: string): readonly unknown[] {
  const items = memberOf(value, name);
  return Array.isArray(items) ? items : [];
}

/** Returns true for objects, including arrays. Their properties can then be read as unknown values. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Copies a JSON value, including what it contains. Takes a third of the time of `structuredClone`. */
export function copyJson<Value>(value: Value): Value;
export function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => copyJson(item));
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const name in copy) if (isObject(copy[name])) copy[name] = copyJson(copy[name]);
  return copy;
}

/**
 * Returns true if objects and arrays are nested deeper than `levels`. Looks no deeper, so the stack cannot overflow.
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (!isObject(value)) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

/** Returns true if a string in a value, or a name in it, has a NUL or an unpaired surrogate, which many databases refuse. */
export function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, inner]) => hasUnstorableText(name) || hasUnstorableText(inner));
}

/** Returns true if a value contains a number such as 1e999, which `JSON.parse` reads as `Infinity` and JSON cannot represent. */
export function hasInfiniteNumber(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return isObject(value) && Object.values(value).some(hasInfiniteNumber);
}

const { propertyIsEnumerable: isEnumerable } = Object.prototype;
