/** JSON of which a test reads some places; each says what it must be, so that nothing is taken for granted. */
export class Json {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  /** The value at a path such as `data.0.id`; undefined where there is none. */
  at(path: string): unknown {
    return path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), this.value);
  }

  /** @throws Error if there is no text */
  text(path: string): string {
    const value = this.at(path);
    if (typeof value !== 'string') throw this.#unexpected(path, 'a text');
    return value;
  }

  /** @throws Error if there is no number */
  number(path: string): number {
    const value = this.at(path);
    if (typeof value !== 'number') throw this.#unexpected(path, 'a number');
    return value;
  }

  /** @throws Error if there is no list */
  list(path: string): readonly unknown[] {
    const value = this.at(path);
    if (!Array.isArray(value)) throw this.#unexpected(path, 'a list');
    return value;
  }

  #unexpected(path: string, wanted: string): Error {
    return new Error(`${path} is not ${wanted}: ${JSON.stringify(this.value)}`);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Reads JSON. @throws SyntaxError */
export function jsonOf(text: string): Json {
  return new Json(JSON.parse(text));
}
