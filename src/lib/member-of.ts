/**
 * A field of an object, or an item of a list. Undefined for properties that are not part of its JSON: inherited ones,
 * and the length of a list.
 */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && isEnumerable.call(value, name) ? value[name] : undefined;
}

/** Returns true for objects, including arrays. Their properties can then be read as unknown values. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const { propertyIsEnumerable: isEnumerable } = Object.prototype;
