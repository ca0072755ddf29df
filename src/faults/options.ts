import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';
import { maxClockTimeMs, parseDateOrTime } from '../domain/dates.js';
import { parseDuration } from '../lib/durations.js';
import { memberOf } from '../lib/json.js';
import { lazy } from '../lib/lazy.js';
import { stringKeyword } from '../lib/schema-keywords.js';
import { strictAjv } from '../lib/strict-ajv.js';

/**
 * JSON Schema of a value. The `x-expected` keyword says what the value must be, for error messages; the keywords of
 * `createCompiler` add checks.
 */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** JSON Schema of an option of an effect. */
export interface OptionSchema extends ValueSchema {
  /** Meaning of the option, for the list of effects. */
  readonly description: string;
}

/** A duration such as `2s` or `8d`. */
export const duration: ValueSchema = {
  type: 'string',
  'x-duration': true,
  'x-expected': 'duration (for example 30s, 2h or 8d)',
};

/** Like `duration`, but at most ten minutes (`x-longest`, in milliseconds), for waits in real time. */
export const shortDuration: ValueSchema = {
  type: 'string',
  'x-duration': true,
  'x-longest': 600_000,
  'x-expected': 'duration of up to 10m (for example 200ms or 2s)',
};

/** Printable ASCII that neither begins nor ends with a space, so that it is valid in a header. */
export const contentType: ValueSchema = {
  type: 'string',
  maxLength: 100,
  pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$',
  'x-expected': 'content type (for example text/html)',
};

/** A JSON Pointer (RFC 6901). Names such as `__proto__` are not allowed: the patch library would skip them. */
export const pointer: ValueSchema = {
  type: 'string',
  maxLength: 1_000,
  pattern: '^(?![^]*/(?:__proto__|constructor|prototype)(?:/|$))(?:/(?:[^~/]|~[01])*)*$',
  'x-expected': 'JSON Pointer (for example /data/amount)',
};

/** Returns a function that validates options and fills in their defaults. Its schema is compiled on the first call. */
export function optionsValidator<Options>(
  properties: Readonly<Record<string, ValueSchema>>,
  required: readonly string[],
): (value: unknown) => { readonly options: Options } | { readonly errors: readonly ErrorObject[] } {
  const validator = lazy(() =>
    compiler().compile<Options>({ type: 'object', properties, required, additionalProperties: false }),
  );
  return (value) => {
    const validateOptions = validator();
    const copy = structuredClone(value);
    return validateOptions(copy) ? { options: copy } : { errors: validateOptions.errors ?? [] };
  };
}

/** Shared by all effects: creating an instance takes longer than compiling the schemas. */
const compiler = lazy(createCompiler);

/** Creates an Ajv instance with the additional keywords of options. */
function createCompiler(): Ajv2020 {
  const ajv = strictAjv({ useDefaults: true, allErrors: true });
  ajv.addKeyword({
    keyword: 'x-longest',
    type: 'string',
    schemaType: 'number',
    validate: (maxMs: number, text: string) => (parseDuration(text) ?? 0) <= maxMs,
    errors: false,
  });
  ajv.addKeyword(
    stringKeyword('x-instant', (text) => (parseDateOrTime(text) ?? Number.POSITIVE_INFINITY) <= maxClockTimeMs),
  );
  // For the end of a range: the value of the keyword is the name of the option that holds the start.
  ajv.addKeyword({
    keyword: 'x-not-below',
    type: 'string',
    schemaType: 'string',
    validate: (startOption: string, text: string, _schema?: unknown, context?: { parentData: unknown }) => {
      const start = memberOf(context?.parentData, startOption);
      return typeof start !== 'string' || (parseDuration(text) ?? 0) >= (parseDuration(start) ?? 0);
    },
    errors: false,
  });
  return ajv;
}

/** Milliseconds of a duration, which must have been validated. */
export function millisecondsOf(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) throw new Error(`${JSON.stringify(text)} is not a duration`);
  return milliseconds;
}
