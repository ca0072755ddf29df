import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { aTimestamp } from '../contract/predicates/matchers.js';
import { currencyDecimals, isCurrencyCode, maxCurrencyDecimals } from '../lib/decimals.js';
import { errorMessage } from '../lib/errors.js';
import { isRecord } from '../lib/json.js';
import { pointerParts } from '../lib/json-pointer.js';
import { lazy } from '../lib/lazy.js';
import { listedValues } from '../lib/listed-values.js';
import { followReference } from '../lib/references.js';
import { strictAjv } from '../lib/strict-ajv.js';
import { gapsAllowingValue } from './gap-tolerance.js';
import { listOf, type Node, nodeOf, stringsOf } from './tree.js';

/** A violated rule of a schema. */
export interface SchemaViolation {
  /** Path of the value that violates the rule. */
  readonly path: readonly string[];
  /** The JSON Schema keyword. */
  readonly rule: string;
  /** Message without the value, which may be a secret. */
  readonly message: string;
  /**
   * Ids of the gaps (questions that the specification leaves open) that allow the value. The document marks them with
   * `x-gap` at the schema, or at a part that contains it.
   */
  readonly gaps: readonly string[];
  /** Schema that contains the rule. */
  readonly schema: Node;
}

/** Checks a value against a schema. */
export type Check = (value: unknown) => SchemaViolation[];

/**
 * Compiles schemas of a document with a strict Ajv, which rejects unknown keywords. A schema that does not compile is
 * an error here; prism-http, the other validator of the proxy, would silently accept every value.
 */
export class StrictSchemas {
  /** Field names in the schemas for which `checkOf` was called. */
  readonly fieldNames = new Set<string>();
  readonly #document: Node;
  readonly #ajv = createAjv();
  readonly #checks = new WeakMap<object, Check>();
  readonly #compilers: (() => ValidateFunction)[] = [];
  /**
   * Ids of the gaps of each inlined schema (`SchemaViolation.gaps`). `#inline` copies a schema for every reference to
   * it, so that the copies can have different gaps.
   */
  readonly #gaps = new WeakMap<object, readonly string[]>();

  constructor(document: Node) {
    this.#document = document;
  }

  /**
   * Returns a check that compiles the schema on its first call, and throws an Error if it does not compile in strict
   * mode.
   * @param place names the schema in the error. If several operations share the schema, the error names the place of
   * the first call.
   * @param outerGaps gaps that are marked at the parts of the document that contain the schema
   */
  checkOf(schema: Node, place: string, outerGaps: readonly string[] = []): Check {
    // Operations share most responses, so the same schema is requested repeatedly. A schema object has a single
    // parent in the JSON document and so always the same outer gaps: one check for each object is enough.
    const existing = this.#checks.get(schema);
    if (existing) return existing;
    const inlined = nodeOf(this.#inline(schema, outerGaps));
    const compiled = lazy(() => this.#compile(inlined, place));
    const check: Check = (value) => (compiled()(value) ? [] : this.#violationsOf(compiled().errors ?? []));
    this.#checks.set(schema, check);
    this.#compilers.push(compiled);
    return check;
  }

  /** Compiles all schemas. @throws Error with the place of a schema that does not compile in strict mode */
  compileAll(): void {
    for (const compile of this.#compilers) compile();
  }

  #compile(schema: object, place: string): ValidateFunction {
    try {
      return this.#ajv.compile(schema);
    } catch (error) {
      throw new Error(`the schema of ${place} does not compile: ${errorMessage(error)}`);
    }
  }

  /**
   * Copies a schema with its references inlined. Ajv calls a function for each reference and copies the errors so far
   * on each call, which would take seconds for a response with many bad records.
   * @param fieldNames names of the fields of the enclosing object; a schema with fields of its own replaces them
   */
  #inline(part: unknown, outerGaps: readonly string[], fieldNames: readonly string[] = []): unknown {
    if (Array.isArray(part)) return part.map((item) => this.#inline(item, outerGaps, fieldNames));
    if (typeof part !== 'object' || part === null) return part;
    const { $ref, ...siblings } = nodeOf(part);
    const target = typeof $ref === 'string' ? nodeOf(followReference(this.#document, $ref)) : {};
    const gaps = [...new Set([...outerGaps, ...stringsOf(siblings['x-gap']), ...stringsOf(target['x-gap'])])];
    const namesInScope = isRecord(siblings['properties']) ? Object.keys(siblings['properties']) : fieldNames;
    for (const name of namesInScope) this.fieldNames.add(name);
    const copy = Object.fromEntries(
      Object.entries(siblings).map(([name, value]) => {
        // `x-minor-units` names the field with the currency. If the object has no such field, the amount is in the
        // currency of the record, which the proxy does not know.
        const isInCurrencyOfRecord = name === 'x-minor-units' && !fieldNames.includes(String(value));
        return isInCurrencyOfRecord
          ? ['x-decimal-places', maxCurrencyDecimals]
          : [name, this.#inline(value, gaps, namesInScope)];
      }),
    );
    const parts = listOf(copy['allOf']);
    const inlined =
      typeof $ref === 'string' ? { ...copy, allOf: [this.#inline(target, gaps, namesInScope), ...parts] } : copy;
    this.#gaps.set(inlined, gaps);
    return inlined;
  }

  #violationsOf(errors: readonly ErrorObject[]): SchemaViolation[] {
    // Errors that only say that a value matches none of several alternative schemas.
    const noMatchErrors = errors.filter(
      (error) => error.keyword === 'oneOf' || (error.keyword === 'anyOf' && !isNullableAnyOfError(error)),
    );
    return errors.flatMap((error) => {
      // For a field that may be null, Ajv adds errors which say that a wrong value is not null either. They are
      // dropped, so that only the rule that the value violates is reported.
      if (isNullableAnyOfError(error) || isErrorOfNullAlternative(error)) return [];
      // A value that matches no alternative is reported once, not with the errors of each alternative. Ajv reports an
      // invalid field name twice: with the rule that it violates, and with `propertyNames`, which is dropped.
      const isErrorOfAlternative = noMatchErrors.some(
        ({ instancePath, schemaPath }) =>
          isBelow(error.schemaPath, schemaPath) &&
          (error.instancePath === instancePath || isBelow(error.instancePath, instancePath)),
      );
      if (isErrorOfAlternative || error.keyword === 'propertyNames') return [];
      const path = pointerParts(error.instancePath);
      const fieldName: unknown = error.params['missingProperty'] ?? error.params['additionalProperty'];
      if (typeof fieldName === 'string') path.push(fieldName);
      const value = error.keyword === 'required' ? undefined : error.data;
      return [
        {
          path,
          // A pattern that lists its values is reported like the `enum` that it stands for.
          rule: listedValuesOf(error) ? 'enum' : error.keyword,
          message: messageOf(error),
          gaps: gapsAllowingValue(this.#gapsOf(error), value),
          schema: nodeOf(error.parentSchema),
        },
      ];
    });
  }

  #gapsOf({ parentSchema, params }: ErrorObject): string[] {
    const schema = nodeOf(parentSchema);
    const missingFieldSchema = nodeOf(schema['properties'])[String(params['missingProperty'])];
    const alternatives = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])];
    const nodes = [parentSchema, missingFieldSchema, ...alternatives];
    return [
      ...new Set(
        nodes.flatMap((place) => (typeof place === 'object' && place !== null && this.#gaps.get(place)) || []),
      ),
    ];
  }
}

/** Returns true if a JSON pointer leads to a part of what another one leads to. */
function isBelow(pointer: string, other: string): boolean {
  return pointer.startsWith(`${other}/`);
}

function createAjv(): Ajv2020 {
  // 19.99 is a multiple of 0.01, although division of doubles says otherwise.
  const ajv = strictAjv({ allErrors: true, multipleOfPrecision: 9 }, decimalPlacesOf);
  // The specification allows every timestamp of ISO 8601, but Ajv's own `date-time` only those of RFC 3339.
  return ajv.addFormat('date-time', aTimestamp.matches);
}

/** Returns true for the `anyOf` error of a value other than null, in a field that may be null. */
function isNullableAnyOfError({ keyword, parentSchema, data }: ErrorObject): boolean {
  const alternatives = listOf(nodeOf(parentSchema)['anyOf']);
  return keyword === 'anyOf' && data !== null && alternatives.length === 2 && alternatives.some(isNullAlternative);
}

/** Returns true for an error that comes from the null alternative of a field: it only says that a value is not null. */
function isErrorOfNullAlternative({ keyword, schema }: ErrorObject): boolean {
  return keyword === 'not' || (keyword === 'type' && schema === 'null');
}

/**
 * Returns true if a schema is the null alternative of an optional field: `type: null`, or `not: {}` if the profile
 * refuses null (gap validation.null-optional).
 */
function isNullAlternative(schema: unknown): boolean {
  const inner = listOf(nodeOf(schema)['allOf']).map(nodeOf)[0] ?? nodeOf(schema);
  return inner['type'] === 'null' || inner['not'] !== undefined;
}

/**
 * Returns the number of decimal places of a currency; undefined for an invalid code. A request without a currency has
 * the default one: EUR or, for a deposit, perhaps that of its account (gap deposit.currency), which the proxy does not
 * know. EUR is assumed there, too: most currencies have two decimal places as well.
 */
function decimalPlacesOf(currency: unknown = 'EUR'): number | undefined {
  return isCurrencyCode(currency) ? currencyDecimals(currency) : undefined;
}

/** Returns the values that the violated rule lists: an `enum`, or a pattern such as `^(?:EUR|USD)$`. */
function listedValuesOf({ keyword, schema }: ErrorObject): readonly unknown[] | undefined {
  if (keyword === 'enum') return listOf(schema);
  return keyword === 'pattern' ? listedValues(schema) : undefined;
}

function messageOf(error: ErrorObject): string {
  const { keyword, schema, params, data, message } = error;
  const listed = listedValuesOf(error);
  if (listed) return `must be one of ${listed.join(', ')}`;
  switch (keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
      return 'is not an allowed field';
    case 'const':
      return `must be ${JSON.stringify(schema)}`;
    case 'type':
      return `${message}, but is ${typeOf(data)}`;
    case 'format':
      return schema === 'date-time' ? `must be ${aTimestamp.description}` : (message ?? '');
    case 'x-decimal-places':
      return `must have at most ${params['limit'] ?? schema} decimal places`;
    case 'x-not-before':
      return `must not be before ${schema}`;
    default:
      // Ajv writes "must NOT have fewer than 1 items".
      return message?.replace(' NOT ', ' not ') ?? `violates ${keyword}`;
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
