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
 * profiles often differ in only one or two schemas. So a schema is compiled once for all documents in which the schema,
 * and every schema that it refers to, are the same.
 */
export class SchemaCache {
  readonly #createAjv: () => Ajv2020;
  /** By the JSON of the schema and the schemas that it refers to. */
  readonly #functionsByJson = new Map<string, ValidateFunction>();
  /**
   * The same functions, by document and schema object: this saves collecting the referenced schemas, which takes longer
   * than most validations.
   */
  readonly #functionsByDocument = new WeakMap<OpenAPIV3_1.Document, Map<unknown, ValidateFunction>>();

  /**
   * @param createAjv creates the Ajv that compiles a schema. It need not check schemas against the meta-schema (its
   *   option `validateSchema` can be false), since this class does so.
   */
  constructor(createAjv: () => Ajv2020) {
    this.#createAjv = createAjv;
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
    const schemas = referencedSchemas(schema, document);
    const key = JSON.stringify([schema, schemas]);
    const compiled = this.#functionsByJson.get(key);
    if (compiled) return compiled;
    for (const part of [schema, ...Object.values(schemas)]) {
      if (typeof part !== 'object' || part === null) throw new Error(`${JSON.stringify(part)} is not a schema`);
      if (metaSchemaAjv.validateSchema(part) !== true) {
        throw new Error(`${metaSchemaAjv.errorsText(metaSchemaAjv.errors)} in ${JSON.stringify(part)}`);
      }
    }
    const ajv = this.#createAjv().addSchema({ $id: 'document', components: { schemas } });
    // References lead to the schema that was added above, whose id is `document`.
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')));
    this.#functionsByJson.set(key, validate);
    return validate;
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
