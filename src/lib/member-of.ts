/** A field of an object, or an item of a list; undefined for anything that JSON would not show: what is inherited, the length of a list. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && isEnumerable.call(value, name) ? value[name] : undefined;
}

/** Any property of an object can be read; what it holds is unknown. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const { propertyIsEnumerable: isEnumerable } = Object.prototype;
