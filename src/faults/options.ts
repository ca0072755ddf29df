import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { parseDuration } from '../lib/durations.js';
import { memberOf } from '../lib/member-of.js';
import { strictAjv } from '../lib/strict-ajv.js';

/** JSON Schema of an option. */
export type OptionSchema = Readonly<Record<string, unknown>>;

/** Durations such as `2s` or `8d`. */
export const duration: OptionSchema = {
  type: 'string',
  'x-duration': true,
  'x-form': 'duration (for example 30s, 2h or 8d)',
};

/** Like `duration`, but at most ten minutes, for waits in real time. */
export const shortDuration: OptionSchema = {
  type: 'string',
  'x-duration': true,
  'x-longest': 600_000,
  'x-form': 'duration of up to 10m (for example 200ms or 2s)',
};

/** Printable ASCII that neither begins nor ends with a space, so that it is valid in a header. */
export const contentType: OptionSchema = {
  type: 'string',
  maxLength: 100,
  pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$',
  'x-form': 'content type (for example text/html)',
};

/** A JSON Pointer (RFC 6901). Excludes names such as `__proto__`, which the library would skip. */
export const pointer: OptionSchema = {
  type: 'string',
  maxLength: 1_000,
  pattern: '^(?![^]*/(?:__proto__|constructor|prototype)(?:/|$))(?:/(?:[^~/]|~[01])*)*$',
  'x-form': 'JSON Pointer (for example /data/amount)',
};

/** ISO 8601 with a UTC offset. `Date.parse` alone reads `1` as the year 2001, and a time without an offset as local. */
const instantPattern = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/;

/** Validates options and fills in their defaults. Compiled on the first call. */
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

/** Shared by all effects: creating an instance takes longer than compiling the schemas. */
let compiler: Ajv2020 | undefined;

/** Ajv with the keywords of options. */
function createCompiler(): Ajv2020 {
  const ajv = strictAjv({ useDefaults: true });
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
    validate: (_isEnabled: boolean, text: string) => instantPattern.test(text) && Date.parse(text) >= 0,
    errors: false,
  });
  // The end of a range, whose start is another option.
  ajv.addKeyword({
    keyword: 'x-not-below',
    type: 'string',
    schemaType: 'string',
    validate: (name: string, text: string, _schema?: unknown, at?: { parentData: unknown }) => {
      const begin = memberOf(at?.parentData, name);
      return typeof begin !== 'string' || (parseDuration(text) ?? 0) >= (parseDuration(begin) ?? 0);
    },
    errors: false,
  });
  return ajv;
}

/** Milliseconds of a validated duration. */
export function millisecondsOf(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) throw new Error(`${JSON.stringify(text)} is not a duration`);
  return milliseconds;
}
