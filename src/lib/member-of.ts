/** A field of an object, or an item of a list; undefined for what is not in its JSON, such as inherited properties or the length of a list. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && isEnumerable.call(value, name) ? value[name] : undefined;
}

/** Any property of an object can be read; what it holds is unknown. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const { propertyIsEnumerable: isEnumerable } = Object.prototype;
