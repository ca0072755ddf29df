import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { SchemaValidateFunction } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import type { OpenAPIV3_1 } from 'openapi-types';
import { parseDuration } from '../domain/durations.js';
import { decimalPlaces, maxMinorUnits, minorUnits } from '../domain/money.js';

/** What an operation takes in its query and its body, compiled. */
export interface Intake<Query, Body> {
  readonly query: readonly { readonly name: string; readonly integer: boolean; readonly maximum: number | undefined }[];
  readonly validateQuery: ValidateFunction<Query>;
  /** A body without the nulls that stand for fields left out (gap validation.null-optional), as the schema has it. */
  readonly withoutNulls: (body: unknown) => unknown;
  /** Admits anything where the operation takes no body. */
  readonly validateBody: ValidateFunction<Body>;
  readonly takesBody: boolean;
}

/** Ajv with the keywords that the documents add to JSON Schema. Strict: what it does not know, it refuses. */
export function strictValidator(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    verbose: true,
    useDefaults: true,
    // Compiling tells what is wrong with a schema; holding each against the meta-schema as well doubles the start.
    validateSchema: false,
    meta: false,
  });
  addFormats.default(ajv, ['date', 'date-time', 'email']);
  ajv.addVocabulary(['x-gap', 'x-form', 'example', 'components', omittedByNull]);
  ajv.addKeyword({
    keyword: 'x-decimal-places',
    type: 'number',
    schemaType: 'number',
    validate: (places: number, value: number) => !Number.isFinite(value) || decimalPlaces(value) <= places,
    errors: false,
  });
  ajv.addKeyword({
    keyword: 'x-minor-units',
    type: 'number',
    schemaType: 'string',
    validate: hasMinorUnits,
    errors: true,
  });
  ajv.addKeyword({
    keyword: 'x-not-before',
    schemaType: 'string',
    validate: (sibling: string, value: unknown, _schema?: unknown, at?: { parentData: unknown }) => {
      const parent = at?.parentData;
      const other: unknown = typeof parent === 'object' && parent !== null ? Reflect.get(parent, sibling) : undefined;
      return typeof other !== 'string' || typeof value !== 'string' || value >= other;
    },
    errors: false,
  });
  ajv.addKeyword({
    keyword: 'x-duration',
    type: 'string',
    schemaType: 'boolean',
    validate: (wanted: boolean, value: string) => !wanted || parseDuration(value) !== undefined,
    errors: false,
  });
  return ajv;
}

/**
 * Whether an amount has no more places than its currency, which a sibling names; where none does, whether it has no more
 * than any currency, and the operation looks at the record's. An error says how many there may be, as that of `x-decimal-places` does.
 */
const hasMinorUnits: SchemaValidateFunction = (sibling: string, value: number, _schema, at) => {
  const currency: unknown = Reflect.get(Object(at?.parentData), sibling);
  if (!Number.isFinite(value)) return true;
  const limit = typeof currency === 'string' ? minorUnits(currency) : maxMinorUnits;
  hasMinorUnits.errors = [{ keyword: 'x-decimal-places', params: { limit } }];
  return decimalPlaces(value) <= limit;
};

/** Marks the schema of a field for which null counts as left out. */
const omittedByNull = 'x-omitted-by-null';

/** The parameters of an operation, those of its path among them. */
export function parametersOf(
  document: OpenAPIV3_1.Document,
  item: OpenAPIV3_1.PathItemObject,
  definition: OpenAPIV3_1.OperationObject,
): OpenAPIV3_1.ParameterObject[] {
  return [...(item.parameters ?? []), ...(definition.parameters ?? [])].map((parameter) =>
    resolve<OpenAPIV3_1.ParameterObject>(document.components?.parameters, parameter),
  );
}

/** @throws Error if a schema does not compile strictly */
export function compileIntake<Query, Body>(
  ajv: Ajv2020,
  document: OpenAPIV3_1.Document,
  parameters: readonly OpenAPIV3_1.ParameterObject[],
  definition: OpenAPIV3_1.OperationObject,
): Intake<Query, Body> {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const body =
    definition.requestBody &&
    resolve<OpenAPIV3_1.RequestBodyObject>(document.components?.requestBodies, definition.requestBody);
  const bodySchema = body && inlined(document, body.content['application/json']?.schema);
  return {
    query: query.map((parameter) => ({
      name: parameter.name,
      integer: isInteger(parameter),
      maximum: schemaOf(parameter).maximum,
    })),
    validateQuery: ajv.compile<Query>(query.length === 0 ? anything : querySchema(document, query)),
    withoutNulls: nullRemover(bodySchema) ?? ((value) => value),
    validateBody: ajv.compile<Body>(bodySchema ?? anything),
    takesBody: body !== undefined,
  };
}

/** For operations without a query or body; one object, which Ajv compiles once. */
const anything = {};

export function isInteger(parameter: OpenAPIV3_1.ParameterObject): boolean {
  return schemaOf(parameter).type === 'integer';
}

function querySchema(document: OpenAPIV3_1.Document, parameters: readonly OpenAPIV3_1.ParameterObject[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, inlined(document, schema)])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/**
 * A schema with what it refers to in place of the references. Ajv calls a function for each reference and copies the
 * errors found so far at each call, which a body of 30,000 bad items would make it do for many seconds.
 */
export function inlined(document: OpenAPIV3_1.Document, schema: unknown): object {
  const inline = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(inline);
    if (typeof part !== 'object' || part === null) return part;
    const { $ref, ...siblings } = Object.fromEntries(
      Object.entries(withoutNullAlternative(document, part)).map(([name, value]) => [name, inline(value)]),
    );
    if (typeof $ref !== 'string') return siblings;
    const target = inline(document.components?.schemas?.[$ref.slice($ref.lastIndexOf('/') + 1)]);
    return Object.keys(siblings).length === 0 ? target : { allOf: [target], ...siblings };
  };
  return Object(inline(schema));
}

const nullForOmitted = '#/components/schemas/NullForOmitted';

/**
 * The schema of an optional field without its alternative null: `nullRemover` takes such nulls out before validation, and
 * an `anyOf` would hide which rule a value breaks.
 */
function withoutNullAlternative(document: OpenAPIV3_1.Document, part: object): object {
  const { anyOf, ...siblings }: { anyOf?: unknown } = part;
  if (!Array.isArray(anyOf)) return part;
  const [schema, ...others] = anyOf.filter((alternative) => alternative?.$ref !== nullForOmitted);
  if (others.length > 0 || anyOf.length === 1) return part;
  // The choice `refused` of validation.null-optional lets nothing fit that alternative.
  const isOmission = document.components?.schemas?.['NullForOmitted']?.type === 'null';
  return { ...schema, ...siblings, ...(isOmission ? { [omittedByNull]: true } : {}) };
}

/** Takes the nulls out of a value that stand for fields left out; undefined where the schema has no such field. */
function nullRemover(schema: unknown): ((value: unknown) => unknown) | undefined {
  const parts = partsOf(schema);
  const fields = parts.flatMap(({ properties }) => Object.entries(Object(properties)));
  const omissible = new Set(fields.flatMap(([name, field]) => (partsOf(field).some(isMarked) ? [name] : [])));
  const inner = new Map(fields.flatMap(([name, field]) => entryOf(name, nullRemover(field))));
  const ofItem = parts.map(({ items }) => nullRemover(items)).find((remover) => remover !== undefined);
  if (ofItem) return (value) => (Array.isArray(value) ? value.map(ofItem) : value);
  if (omissible.size === 0 && inner.size === 0) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const kept = Object.entries(value).filter(([name, member]) => member !== null || !omissible.has(name));
    return Object.fromEntries(kept.map(([name, member]) => [name, inner.get(name)?.(member) ?? member]));
  };
}

interface SchemaPart {
  readonly properties?: unknown;
  readonly items?: unknown;
  readonly allOf?: unknown;
  readonly [omittedByNull]?: unknown;
}

/** A schema and all that it is made of. */
function partsOf(schema: unknown): SchemaPart[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const part: SchemaPart = schema;
  return [part, ...(Array.isArray(part.allOf) ? part.allOf.flatMap(partsOf) : [])];
}

function isMarked(part: SchemaPart): boolean {
  return part[omittedByNull] === true;
}

function entryOf<Value>(name: string, value: Value | undefined): [string, Value][] {
  return value === undefined ? [] : [[name, value]];
}

function schemaOf(parameter: OpenAPIV3_1.ParameterObject): OpenAPIV3_1.SchemaObject {
  return parameter.schema && !('$ref' in parameter.schema) ? parameter.schema : {};
}

/** What a `$ref` into one kind of components stands for. */
function resolve<Target extends object>(
  components: Readonly<Record<string, Target | OpenAPIV3_1.ReferenceObject>> | undefined,
  value: Target | OpenAPIV3_1.ReferenceObject,
): Target {
  if (!('$ref' in value)) return value;
  const found = components?.[value.$ref.slice(value.$ref.lastIndexOf('/') + 1)];
  if (!found || '$ref' in found) throw new Error(`the document has nothing at ${value.$ref}`);
  return found;
}
