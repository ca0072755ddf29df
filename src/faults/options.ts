import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { parseDuration } from '../lib/durations.js';
import { ownSchemas, strictAjv } from '../lib/strict-ajv.js';

/** The JSON Schema of one option of an effect. */
export type OptionSchema = Readonly<Record<string, unknown>>;

/** Durations are written as `2s` or `8d`. */
export const duration: OptionSchema = {
  type: 'string',
  'x-duration': true,
  'x-form': 'duration (for example 30s, 2h or 8d)',
};

/** As `duration`, no longer than can be waited for in real time. */
export const wait: OptionSchema = {
  type: 'string',
  'x-duration': true,
  'x-longest': 600_000,
  'x-form': 'duration of up to 10m (for example 200ms or 2s)',
};

export const contentType: OptionSchema = {
  type: 'string',
  maxLength: 100,
  pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$',
  'x-form': 'content type (for example text/html)',
};

/** A JSON Pointer (RFC 6901). The names that JavaScript has for objects are skipped by the library that would follow it. */
export const pointer: OptionSchema = {
  type: 'string',
  maxLength: 1_000,
  pattern: '^(?![^]*/(?:__proto__|constructor|prototype)(?:/|$))(?:/(?:[^~/]|~[01])*)*$',
  'x-form': 'JSON Pointer (for example /data/amount)',
};

/** The parser would take `1` for the year 2001, and a time without its offset from UTC for one of the machine's. */
const instantForm = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/;

/** Whether options fit, with their defaults filled in. Compiled at the first call. */
export function optionsGuard<Options>(
  properties: Readonly<Record<string, OptionSchema>>,
  required: readonly string[],
): (value: unknown) => { readonly options: Options } | { readonly errors: readonly ErrorObject[] } {
  let validate: ValidateFunction<Options> | undefined;
  return (value) => {
    compiler ??= createCompiler();
    validate ??= compiler.compile<Options>({ type: 'object', properties, required, additionalProperties: false });
    const copy = structuredClone(value);
    return validate(copy) ? { options: copy } : { errors: validate.errors ?? [] };
  };
}

/** One for all effects: each of its own would take longer to make than the schemas to compile. */
let compiler: Ajv2020 | undefined;

/** Ajv with the keywords of options. */
function createCompiler(): Ajv2020 {
  const ajv = strictAjv({ ...ownSchemas, useDefaults: true });
  ajv.addKeyword({
    keyword: 'x-longest',
    type: 'string',
    schemaType: 'number',
    validate: (longest: number, text: string) => (parseDuration(text) ?? 0) <= longest,
    errors: false,
  });
  ajv.addKeyword({
    keyword: 'x-instant',
    type: 'string',
    schemaType: 'boolean',
    validate: (_wanted: boolean, text: string) => instantForm.test(text) && Date.parse(text) >= 0,
    errors: false,
  });
  // The end of a range that another option begins.
  ajv.addKeyword({
    keyword: 'x-not-below',
    type: 'string',
    schemaType: 'string',
    validate: (name: string, text: string, _schema?: unknown, at?: { parentData: unknown }) => {
      const begin: unknown = Reflect.get(Object(at?.parentData), name);
      return typeof begin !== 'string' || (parseDuration(text) ?? 0) >= (parseDuration(begin) ?? 0);
    },
    errors: false,
  });
  return ajv;
}

/** Milliseconds of a duration that a guard has let pass. */
export function millisecondsOf(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) throw new Error(`${JSON.stringify(text)} is not a duration`);
  return milliseconds;
}
