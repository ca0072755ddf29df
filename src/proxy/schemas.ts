import type { ErrorObject } from 'ajv/dist/2020.js';
import { isCurrencyCode, minorUnits } from '../lib/decimals.js';
import { errorMessage } from '../lib/error-message.js';
import { pointerParts } from '../lib/json-pointer.js';
import { referredTo } from '../lib/references.js';
import { strictAjv } from '../lib/strict-ajv.js';
import { listOf, type Node, nodeOf, textsOf } from './tree.js';

/** A rule of a schema that a value breaks. */
export interface Misfit {
  /** To the value, through fields and indexes. */
  readonly path: readonly string[];
  /** The JSON Schema keyword. */
  readonly rule: string;
  /** In words, without the value: it may be a secret. */
  readonly message: string;
  /** The gaps marked at that place and above. */
  readonly gaps: readonly string[];
  /** The schema that has the rule. */
  readonly schema: Node;
}

export type Check = (value: unknown) => Misfit[];

/**
 * Compiles schemas of a document with a strict Ajv of its own, which refuses what it does not know; prism-http takes a
 * schema that does not compile for one that admits everything.
 */
export class StrictSchemas {
  /** Of every field that a schema names. */
  readonly names = new Set<string>();
  readonly #document: Node;
  // 19.99 is a multiple of 0.01, though not by the division of doubles.
  readonly #ajv = strictAjv({ allErrors: true, multipleOfPrecision: 9 }, placesOf);
  readonly #compiled = new WeakMap<object, Check>();
  /** By schema. Each is a copy for its one place, so that the gaps above it are known. */
  readonly #gaps = new WeakMap<object, readonly string[]>();

  constructor(document: Node) {
    this.#document = document;
  }

  /**
   * @param place for the message
   * @param above the gaps marked above
   * @throws Error if the schema does not compile strictly
   */
  compile(schema: Node, place: string, above: readonly string[] = []): Check {
    // Most responses stand in the document once and are referred to by every operation.
    const known = this.#compiled.get(schema);
    if (known) return known;
    const check = this.#compileAnew(schema, place, above);
    this.#compiled.set(schema, check);
    return check;
  }

  #compileAnew(schema: Node, place: string, above: readonly string[]): Check {
    const inlined = nodeOf(this.#inline(schema, above));
    try {
      const validate = this.#ajv.compile(inlined);
      return (value) => (validate(value) ? [] : this.#misfitsOf(validate.errors ?? []));
    } catch (error) {
      throw new Error(`the schema of ${place} does not compile: ${errorMessage(error)}`);
    }
  }

  /**
   * A copy with what it refers to in place of references. Ajv calls a function for each reference and copies the errors
   * found so far at each call, which an answer of many bad records would make it do for seconds.
   */
  #inline(part: unknown, above: readonly string[]): unknown {
    if (Array.isArray(part)) return part.map((item) => this.#inline(item, above));
    if (typeof part !== 'object' || part === null) return part;
    const { $ref, ...own } = nodeOf(part);
    const target = typeof $ref === 'string' ? nodeOf(referredTo(this.#document, $ref)) : {};
    const gaps = [...new Set([...above, ...textsOf(own['x-gap']), ...textsOf(target['x-gap'])])];
    for (const name of Object.keys(nodeOf(own['properties']))) this.names.add(name);
    const copy = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, this.#inline(value, gaps)]));
    const parts = listOf(copy['allOf']);
    const inlined = typeof $ref === 'string' ? { ...copy, allOf: [this.#inline(target, gaps), ...parts] } : copy;
    this.#gaps.set(inlined, gaps);
    return inlined;
  }

  #misfitsOf(errors: readonly ErrorObject[]): Misfit[] {
    const choices = errors.filter(
      (error) => error.keyword === 'oneOf' || (error.keyword === 'anyOf' && !isOptional(error)),
    );
    return errors.flatMap((error) => {
      // A value other than null is reported with the rule that it breaks, not with the remark that null would do as well.
      if (isOptional(error) || isNullAlternative(error)) return [];
      // A value that fits none of several schemas is reported once, not for each; and a wrong name with the rule that it breaks.
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
    const places = [parentSchema, missing, ...alternatives];
    return [...new Set(places.flatMap((place) => this.#gaps.get(Object(place)) ?? []))];
  }
}

/** Whether a value other than null breaks the schema of an optional field, for which null may stand. */
function isOptional({ keyword, parentSchema, data }: ErrorObject): boolean {
  const alternatives = listOf(nodeOf(parentSchema)['anyOf']);
  return keyword === 'anyOf' && data !== null && alternatives.length === 2 && alternatives.some(isForNull);
}

/** Whether an error says no more than that a value is not null. */
function isNullAlternative({ keyword, schema }: ErrorObject): boolean {
  return keyword === 'not' || (keyword === 'type' && schema === 'null');
}

/** Whether a schema is of the null that stands for a field left out, as `validation.null-optional` lets it or does not. */
function isForNull(schema: unknown): boolean {
  const inner = listOf(nodeOf(schema)['allOf']).map(nodeOf)[0] ?? nodeOf(schema);
  return inner['type'] === 'null' || inner['not'] !== undefined;
}

/** Where a value has no currency, that of the account is not known; most have two decimal places. */
function placesOf(currency: unknown = 'EUR'): number | undefined {
  return isCurrencyCode(currency) ? minorUnits(currency) : undefined;
}

function messageOf({ keyword, schema, params, data, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
      return 'must not be there';
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
      return message ?? `breaks ${keyword}`;
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
