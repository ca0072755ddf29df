import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';

const reference = /"\$ref":"#\/components\/schemas\/(\w+)"/g;

/** Holds schemas against the meta-schema, which is compiled once: that takes longer than most schemas. */
const metaSchema = new Ajv2020();

/**
 * Compiles schemas of documents. Compiling is what takes time, and the documents of two profiles differ in a schema or
 * two: a schema is compiled again only where it, or one that it refers to, is another.
 */
export class SchemaCache {
  readonly #createValidator: () => Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  /** @param createValidator makes one without the meta-schema, against which the schemas are held here */
  constructor(createValidator: () => Ajv2020) {
    this.#createValidator = createValidator;
  }

  /** @throws Error if the schema does not compile */
  compile(document: OpenAPIV3_1.Document, schema: unknown): ValidateFunction {
    const schemas = referredBy(schema, document);
    const key = JSON.stringify([schema, schemas]);
    const known = this.#compiled.get(key);
    if (known) return known;
    for (const one of [schema, ...Object.values(schemas)]) {
      if (typeof one !== 'object' || one === null) throw new Error(`${JSON.stringify(one)} is not a schema`);
      if (metaSchema.validateSchema(one) !== true) {
        throw new Error(`${metaSchema.errorsText(metaSchema.errors)} in ${JSON.stringify(one)}`);
      }
    }
    const ajv = this.#createValidator().addSchema({ $id: 'document', components: { schemas } });
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')));
    this.#compiled.set(key, validate);
    return validate;
  }
}

/** The schemas that a schema refers to, and those that they refer to in turn, by name. */
function referredBy(schema: unknown, { components }: OpenAPIV3_1.Document): Record<string, unknown> {
  const found = new Map<string, unknown>();
  const collect = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(reference)) {
      const target = components?.schemas?.[name];
      if (found.has(name) || target === undefined) continue;
      found.set(name, target);
      collect(target);
    }
  };
  collect(schema);
  return Object.fromEntries([...found].sort(([one], [other]) => one.localeCompare(other)));
}
