export type Json = string | number | boolean | null | Json[] | JsonObject;

export interface JsonObject {
  [field: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a JSON text. Throws a SyntaxError if the text is not JSON. */
export function parseJson(text: string): Json {
  return JSON.parse(text);
}
