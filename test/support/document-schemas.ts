import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { requestAjv } from '../../src/openapi/request-schemas.js';
import { SchemaCache } from './schema-cache.js';

/** A schema of an OpenAPI document, with the examples that the document gives for it. */
export interface DocumentSchema {
  /** For example `schemas Amount` or `responses NotFound`. */
  readonly location: string;
  readonly schema: unknown;
  readonly examples: readonly unknown[];
}

/**
 * Lists all schemas of a document: those with names, and those of headers, parameters, responses and request bodies.
 */
export function schemasOf(document: OpenAPIV3_1.Document): DocumentSchema[] {
  const { schemas = {}, headers = {}, parameters = {}, responses = {}, requestBodies = {} } = document.components ?? {};
  return [
    ...Object.entries(schemas).map(([name, schema]) => ({
      location: `schemas ${name}`,
      schema: { $ref: `#/components/schemas/${name}` },
      examples: 'examples' in schema ? (schema.examples ?? []) : [],
    })),
    ...Object.entries(headers).map(([name, header]) => ({
      location: `headers ${name}`,
      schema: 'schema' in header ? header.schema : undefined,
      examples: examplesOf('$ref' in header ? {} : header),
    })),
    ...Object.entries(parameters).map(([name, parameter]) => ({
      location: `parameters ${name}`,
      ...parameterOf('$ref' in parameter ? {} : parameter),
    })),
    ...Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      [item, item?.get, item?.post].flatMap((owner) =>
        (owner?.parameters ?? []).flatMap((parameter) =>
          '$ref' in parameter ? [] : [{ location: `parameters ${path} ${parameter.name}`, ...parameterOf(parameter) }],
        ),
      ),
    ),
    ...Object.entries(responses).flatMap(([name, response]) =>
      Object.entries('headers' in response ? (response.headers ?? {}) : {}).flatMap(([header, described]) =>
        'schema' in described
          ? [{ location: `headers ${name} ${header}`, schema: described.schema, examples: examplesOf(described) }]
          : [],
      ),
    ),
    ...Object.entries(responses).flatMap(([name, response]) =>
      contentOf(`responses ${name}`, 'content' in response ? response.content : undefined),
    ),
    ...Object.entries(requestBodies).flatMap(([name, body]) =>
      contentOf(`requestBodies ${name}`, 'content' in body ? body.content : undefined),
    ),
  ];
}

/** Returns the schema of a parameter, with its default moved to the examples, as Ajv allows no default at the root. */
function parameterOf(parameter: Pick<OpenAPIV3_1.ParameterObject, 'schema' | 'example' | 'examples'>) {
  const { default: value, ...schema }: Record<string, unknown> = { ...parameter.schema };
  return { schema, examples: [...(value === undefined ? [] : [value]), ...examplesOf(parameter)] };
}

/** The examples of a parameter or a header. */
function examplesOf({ example, examples = {} }: Pick<OpenAPIV3_1.ParameterObject, 'example' | 'examples'>): unknown[] {
  const named = Object.values(examples).flatMap((example) => ('value' in example ? [example.value] : []));
  return example === undefined ? named : [example, ...named];
}

function contentOf(
  location: string,
  content: Readonly<Record<string, OpenAPIV3_1.MediaTypeObject>> = {},
): DocumentSchema[] {
  return Object.values(content).map(({ schema, examples = {} }) => ({
    location,
    schema,
    examples: Object.values(examples).flatMap((example) => ('value' in example ? [example.value] : [])),
  }));
}

const requestSchemas = new SchemaCache(requestAjv());

/**
 * Compiles a schema as the simulator compiles schemas of requests.
 * @throws Error if it does not compile in strict mode
 */
export function compileSchema(document: OpenAPIV3_1.Document, schema: unknown): ValidateFunction {
  return requestSchemas.compile(document, schema);
}
