/** Reads a field of an object or an item of a list; undefined for other properties, such as inherited ones or the length of a list. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && isEnumerable.call(value, name) ? value[name] : undefined;
}

/** Whether a value is an object or a list, whose properties can be read; their values are unknown. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const { propertyIsEnumerable: isEnumerable } = Object.prototype;
