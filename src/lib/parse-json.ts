/** Parses JSON. The caller must check the type of the value. @throws SyntaxError */
export function parseJson(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  return JSON.parse(text, reviver);
}

/** Parses JSON; undefined if it is not valid. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
