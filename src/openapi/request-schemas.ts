import type { Ajv2020, Options } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { maxCurrencyDecimals } from '../lib/decimals.js';
import { isRecord, memberOf } from '../lib/json.js';
import { followReference, resolveReference } from '../lib/references.js';
import { maxRequestDecimalPlaces, schemaKeywords } from '../lib/schema-keywords.js';
import { strictAjv } from '../lib/strict-ajv.js';

/** Validation functions of our additional keywords, by keyword. */
export const requestKeywords = Object.fromEntries(
  schemaKeywords(maxRequestDecimalPlaces).map(({ keyword, validate }) => [keyword, validate]),
);

/** Creates the Ajv instance that validates requests. */
export function requestAjv(options: Options = {}): Ajv2020 {
  const ajv = strictAjv({ allErrors: true, useDefaults: true, ...options }, maxRequestDecimalPlaces);
  // Allows `components`, so that a document can be added and its schemas referenced.
  ajv.addVocabulary(['components', omittedByNull]);
  return ajv;
}

/**
 * Keyword for the default of a request field in our documents. It is not `default`, because some client generators make
 * a field with a `default` required, or fill it in.
 */
const requestDefault = 'x-default';

/** Marks the schema of a field for which null counts as omitted. */
export const omittedByNull = 'x-omitted-by-null';

/**
 * The parameters of an operation, including those that its path declares, and the schema of its body, all without
 * references.
 */
export interface RequestParts {
  readonly parameters: readonly OpenAPIV3_1.ParameterObject[];
  readonly body: OpenAPIV3_1.SchemaObject | null;
}

/** Reads the request of an operation from the OpenAPI document, and replaces references with their targets. */
export function requestOf(
  document: OpenAPIV3_1.Document,
  item: OpenAPIV3_1.PathItemObject,
  { parameters = [], requestBody }: OpenAPIV3_1.OperationObject,
): RequestParts {
  const { components } = document;
  return {
    parameters: [...(item.parameters ?? []), ...parameters]
      .map((parameter) => resolveReference<OpenAPIV3_1.ParameterObject>(components?.parameters, parameter))
      .map(({ schema, ...parameter }) => ({ ...parameter, schema: inlineReferences(document, schema) })),
    body: requestBody
      ? inlineReferences(
          document,
          resolveReference<OpenAPIV3_1.RequestBodyObject>(components?.requestBodies, requestBody).content[
            'application/json'
          ]?.schema,
        )
      : null,
  };
}

export function isInteger(parameter: OpenAPIV3_1.ParameterObject): boolean {
  return schemaOf(parameter).type === 'integer';
}

/** The schemas that the query, the body and the Idempotency-Key of an operation are validated against. */
export function schemasOf({ parameters, body }: RequestParts): { query: object; body: object; key: object } {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  return {
    query: query.length === 0 ? {} : querySchema(query),
    body: body ?? {},
    key: parameters.find(isIdempotencyKey)?.schema ?? {},
  };
}

export function isIdempotencyKey(parameter: OpenAPIV3_1.ParameterObject): boolean {
  return parameter.name === 'Idempotency-Key';
}

function querySchema(parameters: readonly OpenAPIV3_1.ParameterObject[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/**
 * Replaces the references in a schema with their targets, and `x-default` with `default`. With references, Ajv would
 * call a function for each reference, and copy all previous errors at each call: for a body with 30,000 invalid items,
 * that takes many seconds.
 */
function inlineReferences(document: OpenAPIV3_1.Document, schema: unknown): object {
  /** @param fieldNames names of the fields of the enclosing object */
  const inline = (part: unknown, fieldNames: readonly string[]): unknown => {
    if (Array.isArray(part)) return part.map((item) => inline(item, fieldNames));
    if (typeof part !== 'object' || part === null) return part;
    const properties = memberOf(part, 'properties');
    const ownFieldNames = isRecord(properties) ? Object.keys(properties) : fieldNames;
    const { $ref, ...siblings } = Object.fromEntries(
      Object.entries(withoutNullAlternative(document, part)).map(([name, value]) => {
        if (name === requestDefault) return ['default', value];
        // If the object has no currency field, its amounts are in the currency of the record, whatever a client sends.
        if (name === 'x-minor-units' && !fieldNames.includes(value)) return ['x-decimal-places', maxCurrencyDecimals];
        return [name, inline(value, ownFieldNames)];
      }),
    );
    if (typeof $ref !== 'string') return siblings;
    const target = inline(followReference(document, $ref), fieldNames);
    return Object.keys(siblings).length === 0 ? target : { allOf: [target], ...siblings };
  };
  const result = inline(schema, []);
  return isRecord(result) ? result : {};
}

/** Reference to the schema of a null that counts as an omitted field. */
export const omittedNullRef = '#/components/schemas/NullForOmitted';

/**
 * Removes the `null` alternative from the schema of an optional field, because errors of `anyOf` do not show which rule
 * is violated. A null that counts as omitted is still accepted: `nullRemover` removes it before validation.
 */
function withoutNullAlternative(document: OpenAPIV3_1.Document, part: object): object {
  const { anyOf, ...siblings }: { anyOf?: unknown } = part;
  if (!Array.isArray(anyOf)) return part;
  const [schema, ...others] = anyOf.filter((alternative) => alternative?.$ref !== omittedNullRef);
  const isFieldOrNull = anyOf.length === 2 && others.length === 0;
  if (!isFieldOrNull) return part;
  // If the profile does not accept null (gap validation.null-optional, choice `refused`), the schema `NullForOmitted`
  // matches nothing, and the field is not marked.
  const countsAsOmitted = document.components?.schemas?.['NullForOmitted']?.type === 'null';
  return { ...schema, ...siblings, ...(countsAsOmitted ? { [omittedByNull]: true } : {}) };
}

export function schemaOf(parameter: OpenAPIV3_1.ParameterObject): OpenAPIV3_1.SchemaObject {
  return parameter.schema && !('$ref' in parameter.schema) ? parameter.schema : {};
}
