import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';

/** A schema of the document, with the examples that the document gives for it. */
export interface PlacedSchema {
  /** Such as `schemas Amount` or `responses NotFound`. */
  readonly place: string;
  readonly schema: unknown;
  readonly examples: readonly unknown[];
}

/** Every schema of the document's components: by name, of headers, responses and request bodies. */
export function schemasOf(document: OpenAPIV3_1.Document): PlacedSchema[] {
  const { schemas = {}, headers = {}, responses = {}, requestBodies = {} } = document.components ?? {};
  return [
    ...Object.entries(schemas).map(([name, schema]) => ({
      place: `schemas ${name}`,
      schema: { $ref: `#/components/schemas/${name}` },
      examples: 'examples' in schema ? (schema.examples ?? []) : [],
    })),
    ...Object.entries(headers).map(([name, header]) => ({
      place: `headers ${name}`,
      schema: 'schema' in header ? header.schema : undefined,
      examples: 'example' in header ? [header.example] : [],
    })),
    ...Object.entries(responses).flatMap(([name, response]) =>
      contentOf(`responses ${name}`, 'content' in response ? response.content : undefined),
    ),
    ...Object.entries(requestBodies).flatMap(([name, body]) =>
      contentOf(`requestBodies ${name}`, 'content' in body ? body.content : undefined),
    ),
  ];
}

function contentOf(place: string, content: Readonly<Record<string, OpenAPIV3_1.MediaTypeObject>> = {}): PlacedSchema[] {
  return Object.values(content).map(({ schema, examples = {} }) => ({
    place,
    schema,
    examples: Object.values(examples).flatMap((example) => ('value' in example ? [example.value] : [])),
  }));
}

/** Compiles a schema of the document by a `documentValidator`. @throws Error if it does not compile strictly */
export function compileSchema(ajv: Ajv2020, schema: unknown): ValidateFunction {
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"billing#/')));
}
