import { hash } from 'node:crypto';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { requestValidators as prebuiltValidators } from '../generated/request-validators.js';
import { isRecord } from '../lib/json.js';
import { lazy } from '../lib/lazy.js';
import {
  isInteger,
  omittedByNull,
  type RequestParts,
  requestAjv,
  requestKeywords,
  schemaOf,
  schemasOf,
} from './request-schemas.js';

/**
 * The names of the fields of an object, each with the fields that the value has in turn: those of an object, or of the
 * items of a list. A value that may have any fields has none here.
 */
export interface FieldTree extends ReadonlyMap<string, FieldTree> {}

/**
 * Validators of the query and the body of an operation. Each is compiled when it is first used, since compiling all
 * would take longer than the rest of startup. Tests compile the validators of every choice, to find invalid schemas.
 */
export interface RequestValidators<Query, Body> {
  readonly queryParameters: readonly {
    readonly name: string;
    readonly isInteger: boolean;
    readonly maximum: number | undefined;
  }[];
  readonly validateQuery: ValidateFunction<Query>;
  readonly bodyFields: FieldTree;
  /** Removes nulls that count as omitted fields (gap validation.null-optional). */
  readonly removeNulls: (body: unknown) => unknown;
  /** Accepts anything if the operation takes no body. */
  readonly validateBody: ValidateFunction<Body>;
}

/** Maximum number of compiled schemas to keep. A profile has about thirty, most of which all profiles share. */
const maxSchemas = 300;

/** Replacements for the Ajv modules that the compiled validators require. Importing those would load all of Ajv. */
const runtimeModules = new Map<string, object>([
  ['ajv/dist/runtime/ucs2length', { default: (text: string) => [...text].length }],
  ['ajv-formats/dist/formats', { fullFormats }],
]);

function requireRuntime(name: string): object {
  const module = runtimeModules.get(name);
  if (!module) throw new Error(`a validator requires the unknown module ${name}`);
  return module;
}

const ajv = lazy(requestAjv);

/** Compiled schemas by their JSON, least recently used first. */
const compiledSchemas = new Map<string, object>();

/**
 * Returns the validator of a request schema. The build has compiled the schemas of the default profile and of the
 * control API, so that few processes need Ajv. Equal schemas are compiled once: the profiles of a process differ in few
 * schemas, and compiling is slow.
 */
export function compileRequestSchema<Value>(schema: object): ValidateFunction<Value> {
  const key = JSON.stringify(schema);
  const prebuilt = prebuiltValidators[hash('sha256', key, 'base64url')];
  if (prebuilt) return prebuilt<Value>(requireRuntime, requestKeywords);
  const sharedSchema = compiledSchemas.get(key) ?? schema;
  compiledSchemas.delete(key);
  compiledSchemas.set(key, sharedSchema);
  const [oldest] = compiledSchemas;
  if (compiledSchemas.size > maxSchemas && oldest) {
    compiledSchemas.delete(oldest[0]);
    ajv().removeSchema(oldest[1]);
  }
  // Always the same object for equal schemas, since Ajv caches compiled schemas by object identity.
  return ajv().compile<Value>(sharedSchema);
}

export function requestValidators<Query, Body>({ parameters, body }: RequestParts): RequestValidators<Query, Body> {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const schemas = lazy(() => schemasOf({ parameters, body }));
  const validateQuery = lazy(() => compileRequestSchema<Query>(schemas().query));
  const validateBody = lazy(() => compileRequestSchema<Body>(schemas().body));
  return {
    queryParameters: query.map((parameter) => ({
      name: parameter.name,
      isInteger: isInteger(parameter),
      maximum: schemaOf(parameter).maximum,
    })),
    get validateQuery() {
      return validateQuery();
    },
    bodyFields: fieldTree(body),
    removeNulls: nullRemover(body) ?? ((value) => value),
    get validateBody() {
      return validateBody();
    },
  };
}

/** Creates a function that removes nulls which count as omitted fields; undefined if the schema has no such field. */
function nullRemover(schema: unknown): ((value: unknown) => unknown) | undefined {
  const parts = partsOf(schema);
  const fields = fieldsOf(schema);
  const omittedByNullNames = new Set(
    fields.flatMap(([name, field]) => (partsOf(field).some(isOmittedByNull) ? [name] : [])),
  );
  const removersByField = new Map(fields.flatMap(([name, field]) => entryIfDefined(name, nullRemover(field))));
  const itemRemover = parts.map(({ items }) => nullRemover(items)).find((remover) => remover !== undefined);
  if (itemRemover) return (value) => (Array.isArray(value) ? value.map(itemRemover) : value);
  if (omittedByNullNames.size === 0 && removersByField.size === 0) return undefined;
  return (value) => {
    if (!isRecord(value)) return value;
    // Most bodies have no such null; then no copy is made.
    let changed: Record<string, unknown> | undefined;
    for (const [name, member] of Object.entries(value)) {
      const cleaned = removersByField.get(name)?.(member) ?? member;
      const isOmitted = member === null && omittedByNullNames.has(name);
      if (cleaned === member && !isOmitted) continue;
      changed ??= { ...value };
      if (isOmitted) delete changed[name];
      else changed[name] = cleaned;
    }
    return changed ?? value;
  };
}

/** Lists the fields of a schema by name, with their schemas. */
function fieldsOf(schema: unknown): [string, unknown][] {
  return partsOf(schema).flatMap(({ properties }) => Object.entries(isRecord(properties) ? properties : {}));
}

function fieldTree(schema: unknown): FieldTree {
  const fields = [schema, ...partsOf(schema).map(({ items }) => items)].flatMap(fieldsOf);
  return new Map(fields.map(([name, field]) => [name, fieldTree(field)]));
}

interface SchemaPart {
  readonly properties?: unknown;
  readonly items?: unknown;
  readonly allOf?: unknown;
  readonly [omittedByNull]?: unknown;
}

/** Lists a schema and, recursively, the schemas of its `allOf`. */
function partsOf(schema: unknown): SchemaPart[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const part: SchemaPart = schema;
  return [part, ...(Array.isArray(part.allOf) ? part.allOf.flatMap(partsOf) : [])];
}

function isOmittedByNull(part: SchemaPart): boolean {
  return part[omittedByNull] === true;
}

function entryIfDefined<Value>(name: string, value: Value | undefined): [string, Value][] {
  return value === undefined ? [] : [[name, value]];
}
