import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenAPIV3_1 } from 'openapi-types';
import { SchemaCache } from './schema-cache.js';

/** Thrown when a response does not match the OpenAPI document. */
export class DeviationError extends Error {
  override readonly name = 'DeviationError';
}

/** A response, and the method and path of its request. */
export interface Exchange {
  readonly method: string;
  /** Path without the base path of the document's server URL. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

type Schema = OpenAPIV3_1.SchemaObject;

/**
 * Checks responses against an OpenAPI document. It has its own validator, so that it does not share bugs with the
 * simulator.
 */
export class DocumentChecker {
  readonly document: OpenAPIV3_1.Document;

  constructor(document: OpenAPIV3_1.Document) {
    this.document = document;
  }

  /** Returns the document's definition of a response, or a message if there is none. */
  responseOf({ method, path, status }: Exchange): OpenAPIV3_1.ResponseObject | string {
    // A path or method that the document does not have gets the error response that is the default of every operation.
    const responses = this.#operationOf(method, path)?.responses ?? {
      default: { $ref: '#/components/responses/UnexpectedError' },
    };
    const listed = responses[String(status)];
    if (!listed && status < 400) return `status: ${Object.keys(responses).join(', ')} are listed, ${status} is not`;
    const response = listed ?? responses['default'];
    if (!response) return `status: ${status} is not listed, and there is no default`;
    if (!('$ref' in response)) return `status: the response for ${status} is not a reference`;
    const name = response.$ref.slice('#/components/responses/'.length);
    const target = this.document.components?.responses?.[name];
    if (!target || '$ref' in target) return `status: there is nothing at ${response.$ref}`;
    return target;
  }

  #operationOf(method: string, path: string): OpenAPIV3_1.OperationObject | undefined {
    const paths = Object.entries(this.document.paths ?? {});
    const literalMatches = paths.filter(([template]) => template === path);
    const matches =
      literalMatches.length > 0 ? literalMatches : paths.filter(([template]) => matchesTemplate(template, path));
    const fewestParametersFirst = matches.sort(([a], [b]) => a.split('{').length - b.split('{').length);
    const item = fewestParametersFirst[0]?.[1] ?? {};
    const operationByMethod = {
      GET: item.get,
      HEAD: item.get,
      PUT: item.put,
      PATCH: item.patch,
      POST: item.post,
      DELETE: item.delete,
    };
    return Object.entries(operationByMethod).find(([verb]) => verb === method)?.[1];
  }

  /** Reports a status that the operation does not list. Only faults may use the default response. */
  statusDeviations({ method, path, status }: Exchange): string[] {
    const responses = this.#operationOf(method, path)?.responses;
    if (!responses || responses[String(status)]) return [];
    return [`status: ${Object.keys(responses).join(', ')} are listed, ${status} is not`];
  }

  /** Lists how a header deviates from its definition. */
  headerDeviations(name: string, text: string | null, response: OpenAPIV3_1.ResponseObject): string[] {
    const listed = response.headers?.[name] ?? { $ref: `#/components/headers/${name}` };
    const header =
      '$ref' in listed
        ? this.document.components?.headers?.[listed.$ref.slice('#/components/headers/'.length)]
        : listed;
    if (!header || '$ref' in header) return [`header ${name}: the document does not describe it`];
    if (text === null) return header.required === true ? [`header ${name}: is missing`] : [];
    const validate = responseSchemas.compile(this.document, header.schema);
    const value = /^-?\d+$/.test(text) ? Number(text) : text;
    return validate(value) ? [] : [`header ${name}: ${text} ${JSON.stringify(validate.errors)}`];
  }

  /** Lists how a body deviates from the definition of its response. */
  bodyDeviations({ method, headers, text }: Exchange, response: OpenAPIV3_1.ResponseObject): string[] {
    const type = headers.get('content-type')?.split(';')[0]?.trim() ?? 'none';
    const media = response.content?.[type];
    if (!media) return [`content type: ${type} is not listed`];
    if (method === 'HEAD') return text === '' ? [] : ['body: the response to a HEAD request must have none'];
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return ['body: is not JSON'];
    }
    const validate = responseSchemas.compile(this.document, media.schema);
    if (!validate(body)) {
      return (validate.errors ?? []).map(({ instancePath, message }) => `body${instancePath}: ${message}`);
    }
    const schemas = this.#schemasAppliedBy(media.schema);
    return this.#undocumentedFields(schemas, body, 'body');
  }

  /**
   * Lists fields that no schema names. Schemas allow unknown fields, as clients must, but the simulator must not send
   * any.
   */
  #undocumentedFields(schemas: readonly Schema[], value: unknown, path: string): string[] {
    if (Array.isArray(value)) {
      const items = schemas.flatMap((schema) => ('items' in schema ? this.#schemasAppliedBy(schema.items) : []));
      return value.flatMap((item, index) => this.#undocumentedFields(items, item, `${path}/${index}`));
    }
    if (typeof value !== 'object' || value === null) return [];
    if (schemas.some((schema) => schema.additionalProperties !== undefined)) return [];
    return Object.entries(value).flatMap(([name, part]) => {
      const fieldSchemas = schemas.flatMap((schema) => schema.properties?.[name] ?? []);
      if (fieldSchemas.length === 0) return [`${path}/${name}: the document does not name it`];
      return this.#undocumentedFields(
        fieldSchemas.flatMap((schema) => this.#schemasAppliedBy(schema)),
        part,
        `${path}/${name}`,
      );
    });
  }

  /** Returns a schema, or its target if it is a reference, and all schemas that its `allOf` and `oneOf` contain. */
  #schemasAppliedBy(schema: Schema | OpenAPIV3_1.ReferenceObject | undefined): Schema[] {
    if (!schema) return [];
    if ('$ref' in schema) {
      const name = schema.$ref.slice('#/components/schemas/'.length);
      return this.#schemasAppliedBy(this.document.components?.schemas?.[name]);
    }
    const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? [])];
    return [schema, ...parts.flatMap((part) => this.#schemasAppliedBy(part))];
  }
}

const patterns = new Map<string, RegExp>();

function matchesTemplate(template: string, path: string): boolean {
  const pattern = patterns.get(template) ?? new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
  patterns.set(template, pattern);
  return pattern.test(path);
}

/** Creates a strict Ajv, independent of the simulator's. `SchemaCache` checks the schemas against the meta-schema. */
function createResponseAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    meta: false,
    validateSchema: false,
    code: { optimize: false },
  });
  addFormats.default(ajv, ['date', 'date-time', 'email']);
  // Strict mode rejects unknown keywords. These have no effect on which responses are valid.
  ajv.addVocabulary(['components', 'x-gap', 'x-expected', 'x-decimal-places', 'x-minor-units', 'x-duration']);
  // The value of this keyword names another field of the same record; the date must not be before the date in that
  // field.
  ajv.addKeyword({
    keyword: 'x-not-before',
    schemaType: 'string',
    validate: (otherField: string, date: unknown, _schema?: unknown, context?: { parentData: unknown }) => {
      const record = context?.parentData;
      const otherDate: unknown = typeof record === 'object' && record !== null ? Reflect.get(record, otherField) : null;
      return typeof date !== 'string' || typeof otherDate !== 'string' || Date.parse(date) >= Date.parse(otherDate);
    },
  });
  return ajv;
}

const responseSchemas = new SchemaCache(createResponseAjv());
