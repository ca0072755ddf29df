import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';

/** Matches a reference to a schema of `components/schemas` in JSON, and captures the name of that schema. */
const schemaReference = /"\$ref":"#\/components\/schemas\/(\w+)"/g;

/**
 * Validates schemas against the meta-schema of JSON Schema. All caches share this instance, since Ajv takes longer to
 * compile the meta-schema than most other schemas.
 */
const metaSchemaAjv = new Ajv2020();

/**
 * Compiles the schemas of OpenAPI documents into validation functions. Compilation is slow, and the documents of two
 * profiles often differ in only one or two schemas. So all documents share an Ajv, which compiles each schema once for
 * all documents in which the schema, and every schema that it refers to, are the same.
 */
export class SchemaCache {
  readonly #ajv: Ajv2020;
  /** Ids in the Ajv, by the JSON of the schema and the schemas that it refers to. */
  readonly #idsByJson = new Map<string, string>();
  /** By document and name. This saves collecting the referenced schemas again. */
  readonly #idsByDocument = new WeakMap<OpenAPIV3_1.Document, Map<string, string>>();
  /** By document and schema object, for the same reason: collecting takes longer than most validations. */
  readonly #functionsByDocument = new WeakMap<OpenAPIV3_1.Document, Map<unknown, ValidateFunction>>();

  /** @param ajv need not check schemas against the meta-schema (its option `validateSchema` can be false) */
  constructor(ajv: Ajv2020) {
    this.#ajv = ajv;
  }

  /** @throws Error if the schema does not compile */
  compile(document: OpenAPIV3_1.Document, schema: unknown): ValidateFunction {
    const functionsBySchema = this.#functionsByDocument.get(document) ?? new Map<unknown, ValidateFunction>();
    this.#functionsByDocument.set(document, functionsBySchema);
    const validate = functionsBySchema.get(schema) ?? this.#compile(document, schema);
    functionsBySchema.set(schema, validate);
    return validate;
  }

  #compile(document: OpenAPIV3_1.Document, schema: unknown): ValidateFunction {
    const id = this.#add(document, schema);
    const validate = this.#ajv.getSchema(id);
    if (!validate) throw new Error(`the Ajv has no schema ${id}`);
    return validate;
  }

  /** Adds a schema and those that it refers to, unless the Ajv has them already. @returns its id */
  #add(document: OpenAPIV3_1.Document, schema: unknown): string {
    const key = JSON.stringify([schema, referencedSchemas(schema, document)]);
    const knownId = this.#idsByJson.get(key);
    if (knownId !== undefined) return knownId;
    if (typeof schema !== 'object' || schema === null) throw new Error(`${JSON.stringify(schema)} is not a schema`);
    if (metaSchemaAjv.validateSchema(schema) !== true) {
      throw new Error(`${metaSchemaAjv.errorsText(metaSchemaAjv.errors)} in ${JSON.stringify(schema)}`);
    }
    const id = `schema-${this.#idsByJson.size}`;
    // Before the schemas that it refers to, since they may refer to it.
    this.#idsByJson.set(key, id);
    const text = JSON.stringify(schema).replaceAll(
      schemaReference,
      (_reference, name: string) => `"$ref":"${this.#idOf(document, name)}"`,
    );
    this.#ajv.addSchema(JSON.parse(text), id);
    return id;
  }

  /** Returns the id of a schema with a name. */
  #idOf(document: OpenAPIV3_1.Document, name: string): string {
    const ids = this.#idsByDocument.get(document) ?? new Map<string, string>();
    this.#idsByDocument.set(document, ids);
    const id = ids.get(name) ?? this.#add(document, document.components?.schemas?.[name]);
    ids.set(name, id);
    return id;
  }
}

/** Returns the schemas that a schema refers to, directly or indirectly, keyed by name. */
function referencedSchemas(schema: unknown, { components }: OpenAPIV3_1.Document): Record<string, unknown> {
  const targets = new Map<string, unknown>();
  const collect = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(schemaReference)) {
      const target = components?.schemas?.[name];
      if (targets.has(name) || target === undefined) continue;
      targets.set(name, target);
      collect(target);
    }
  };
  collect(schema);
  return Object.fromEntries([...targets].sort(([a], [b]) => a.localeCompare(b)));
}
