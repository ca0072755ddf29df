/** Parsed JSON. `number` and `list` check the type of the value that they return. */
export class Json {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  /** Returns the value at a path such as `data.0.id`, or undefined if there is none. */
  valueAt(path: string): unknown {
    return path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), this.value);
  }

  /** @throws Error if there is no number */
  number(path: string): number {
    const value = this.valueAt(path);
    if (typeof value !== 'number') throw this.#unexpected(path, 'a number');
    return value;
  }

  /** @throws Error if there is no array */
  list(path: string): readonly unknown[] {
    const value = this.valueAt(path);
    if (!Array.isArray(value)) throw this.#unexpected(path, 'an array');
    return value;
  }

  #unexpected(path: string, expected: string): Error {
    return new Error(`${path} is not ${expected}: ${JSON.stringify(this.value)}`);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Reads JSON. @throws SyntaxError */
export function jsonOf(text: string): Json {
  return new Json(JSON.parse(text));
}
