import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';

/** Matches a reference to a named schema in the JSON of another one. */
const schemaReference = /"\$ref":"#\/components\/schemas\/(\w+)"/g;

/** Checks schemas against the meta-schema. Shared, since compiling the meta-schema takes longer than most schemas. */
const metaSchemaValidator = new Ajv2020();

/**
 * Compiles schemas of documents. Compilation is slow, and the documents of two profiles differ in one or two schemas, so
 * a schema is only compiled again if it, or one that it refers to, has changed.
 */
export class SchemaCache {
  readonly #createValidator: () => Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();
  /** Validators by document and schema, since collecting the referenced schemas takes longer than most validations. */
  readonly #byDocument = new WeakMap<OpenAPIV3_1.Document, Map<unknown, ValidateFunction>>();

  /** @param createValidator creates a validator that does not check schemas against the meta-schema, as this class does */
  constructor(createValidator: () => Ajv2020) {
    this.#createValidator = createValidator;
  }

  /** @throws Error if the schema does not compile */
  compile(document: OpenAPIV3_1.Document, schema: unknown): ValidateFunction {
    const validators = this.#byDocument.get(document) ?? new Map<unknown, ValidateFunction>();
    this.#byDocument.set(document, validators);
    const validate = validators.get(schema) ?? this.#compile(document, schema);
    validators.set(schema, validate);
    return validate;
  }

  #compile(document: OpenAPIV3_1.Document, schema: unknown): ValidateFunction {
    const schemas = referencedSchemas(schema, document);
    const key = JSON.stringify([schema, schemas]);
    const compiled = this.#compiled.get(key);
    if (compiled) return compiled;
    for (const part of [schema, ...Object.values(schemas)]) {
      if (typeof part !== 'object' || part === null) throw new Error(`${JSON.stringify(part)} is not a schema`);
      if (metaSchemaValidator.validateSchema(part) !== true) {
        throw new Error(`${metaSchemaValidator.errorsText(metaSchemaValidator.errors)} in ${JSON.stringify(part)}`);
      }
    }
    const ajv = this.#createValidator().addSchema({ $id: 'document', components: { schemas } });
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')));
    this.#compiled.set(key, validate);
    return validate;
  }
}

/** Returns the schemas that a schema refers to, directly or indirectly, by name. */
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
