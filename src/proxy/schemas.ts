import type { ErrorObject } from 'ajv/dist/2020.js';
import { isCurrencyCode, minorUnits } from '../lib/decimals.js';
import { errorMessage } from '../lib/error-message.js';
import { pointerParts } from '../lib/json-pointer.js';
import { referredTo } from '../lib/references.js';
import { ownSchemas, strictAjv } from '../lib/strict-ajv.js';
import { listOf, type Node, nodeOf, textsOf } from './tree.js';

/** A violated rule of a schema. */
export interface SchemaViolation {
  /** Path of the value. */
  readonly path: readonly string[];
  /** The JSON Schema keyword. */
  readonly rule: string;
  /** Message without the value, which may be a secret. */
  readonly message: string;
  /** Gaps marked at that place and above. */
  readonly gaps: readonly string[];
  /** Schema with the rule. */
  readonly schema: Node;
}

export type Check = (value: unknown) => SchemaViolation[];

/**
 * Compiles schemas of a document with a strict Ajv, which rejects unknown keywords; prism-http treats a schema that
 * does not compile as one that accepts everything.
 */
export class StrictSchemas {
  /** All field names in schemas. */
  readonly names = new Set<string>();
  readonly #document: Node;
  // 19.99 is a multiple of 0.01, although division of doubles says otherwise.
  readonly #ajv = strictAjv({ ...ownSchemas, allErrors: true, multipleOfPrecision: 9 }, placesOf);
  readonly #compiled = new WeakMap<object, Check>();
  /** Gaps by schema. Each schema is a copy for one place, so that the gaps above it are known. */
  readonly #gaps = new WeakMap<object, readonly string[]>();

  constructor(document: Node) {
    this.#document = document;
  }

  /**
   * @param place name in the error
   * @param outerGaps gaps marked at the enclosing parts of the document
   * @throws Error if the schema does not compile strictly
   */
  compile(schema: Node, place: string, outerGaps: readonly string[] = []): Check {
    // Most responses are shared by several operations.
    const known = this.#compiled.get(schema);
    if (known) return known;
    const check = this.#compileNew(schema, place, outerGaps);
    this.#compiled.set(schema, check);
    return check;
  }

  #compileNew(schema: Node, place: string, outerGaps: readonly string[]): Check {
    const inlined = nodeOf(this.#inline(schema, outerGaps));
    try {
      const validate = this.#ajv.compile(inlined);
      return (value) => (validate(value) ? [] : this.#violationsOf(validate.errors ?? []));
    } catch (error) {
      throw new Error(`the schema of ${place} does not compile: ${errorMessage(error)}`);
    }
  }

  /**
   * Copies a schema with its references inlined. Ajv calls a function for each reference and copies the errors so far
   * on each call, which would take seconds for a response with many bad records.
   */
  #inline(part: unknown, outerGaps: readonly string[]): unknown {
    if (Array.isArray(part)) return part.map((item) => this.#inline(item, outerGaps));
    if (typeof part !== 'object' || part === null) return part;
    const { $ref, ...own } = nodeOf(part);
    const target = typeof $ref === 'string' ? nodeOf(referredTo(this.#document, $ref)) : {};
    const gaps = [...new Set([...outerGaps, ...textsOf(own['x-gap']), ...textsOf(target['x-gap'])])];
    for (const name of Object.keys(nodeOf(own['properties']))) this.names.add(name);
    const copy = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, this.#inline(value, gaps)]));
    const parts = listOf(copy['allOf']);
    const inlined = typeof $ref === 'string' ? { ...copy, allOf: [this.#inline(target, gaps), ...parts] } : copy;
    this.#gaps.set(inlined, gaps);
    return inlined;
  }

  #violationsOf(errors: readonly ErrorObject[]): SchemaViolation[] {
    const choices = errors.filter(
      (error) => error.keyword === 'oneOf' || (error.keyword === 'anyOf' && !isOptional(error)),
    );
    return errors.flatMap((error) => {
      // A non-null value is reported with the rule that it violates, without the remark that null is allowed, too.
      if (isOptional(error) || isNullAlternative(error)) return [];
      // A value that matches none of several schemas is reported once; an invalid name with the rule that it violates.
      const isOfChoice = choices.some((one) => one !== error && error.instancePath.startsWith(one.instancePath));
      if (isOfChoice || error.keyword === 'propertyNames') return [];
      const path = pointerParts(error.instancePath);
      const named: unknown = error.params['missingProperty'] ?? error.params['additionalProperty'];
      if (typeof named === 'string') path.push(named);
      return [
        {
          path,
          rule: error.keyword,
          message: messageOf(error),
          gaps: this.#gapsOf(error),
          schema: nodeOf(error.parentSchema),
        },
      ];
    });
  }

  #gapsOf({ parentSchema, params }: ErrorObject): string[] {
    const schema = nodeOf(parentSchema);
    const missing = nodeOf(schema['properties'])[String(params['missingProperty'])];
    const alternatives = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])];
    const nodes = [parentSchema, missing, ...alternatives];
    return [
      ...new Set(
        nodes.flatMap((place) => (typeof place === 'object' && place !== null && this.#gaps.get(place)) || []),
      ),
    ];
  }
}

/** Whether a non-null value violates the schema of an optional field that may be null. */
function isOptional({ keyword, parentSchema, data }: ErrorObject): boolean {
  const alternatives = listOf(nodeOf(parentSchema)['anyOf']);
  return keyword === 'anyOf' && data !== null && alternatives.length === 2 && alternatives.some(isForNull);
}

/** Whether an error only says that a value is not null. */
function isNullAlternative({ keyword, schema }: ErrorObject): boolean {
  return keyword === 'not' || (keyword === 'type' && schema === 'null');
}

/** Whether a schema is the null alternative of an omitted field (gap validation.null-optional). */
function isForNull(schema: unknown): boolean {
  const inner = listOf(nodeOf(schema)['allOf']).map(nodeOf)[0] ?? nodeOf(schema);
  return inner['type'] === 'null' || inner['not'] !== undefined;
}

/** Without a currency, the decimal places are those of the account's currency, which is unknown; most have two. */
function placesOf(currency: unknown = 'EUR'): number | undefined {
  return isCurrencyCode(currency) ? minorUnits(currency) : undefined;
}

function messageOf({ keyword, schema, params, data, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
      return 'must be absent';
    case 'const':
      return `must be ${JSON.stringify(schema)}`;
    case 'enum':
      return `must be one of ${listOf(schema).join(', ')}`;
    case 'type':
      return `${message}, is ${typeOf(data)}`;
    case 'x-decimal-places':
      return `must have at most ${params['limit'] ?? schema} decimal places`;
    case 'x-not-before':
      return `must not be before ${schema}`;
    default:
      return message ?? `violates ${keyword}`;
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
