import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenAPIV3_1 } from 'openapi-types';
import { SchemaCache } from './schema-cache.js';

/** A response is not what the document says. */
export class Departure extends Error {
  override readonly name = 'Departure';
}

export interface Exchange {
  readonly method: string;
  /** Without what the server's address in the document ends with. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

type Schema = OpenAPIV3_1.SchemaObject;

/** Holds answers against a document. Its validator is its own, so that it does not share a blind spot with the simulator. */
export class DocumentChecker {
  readonly document: OpenAPIV3_1.Document;

  constructor(document: OpenAPIV3_1.Document) {
    this.document = document;
  }

  /** The response that the document has for the response, and where; or why it has none. */
  responseOf({ method, path, status }: Exchange): OpenAPIV3_1.ResponseObject | string {
    const responses = this.#operationOf(method, path)?.responses ?? {
      default: { $ref: '#/components/responses/UnexpectedError' },
    };
    const listed = responses[String(status)];
    if (!listed && status < 400) return `status: ${Object.keys(responses).join(', ')} are listed, ${status} is not`;
    const response = listed ?? responses['default'];
    if (!response) return `status: ${status} is not listed, and there is no default`;
    if (!('$ref' in response)) return `status: the response for ${status} is no reference`;
    const name = response.$ref.slice('#/components/responses/'.length);
    const target = this.document.components?.responses?.[name];
    if (!target || '$ref' in target) return `status: there is nothing at ${response.$ref}`;
    return target;
  }

  #operationOf(method: string, path: string): OpenAPIV3_1.OperationObject | undefined {
    const paths = Object.entries(this.document.paths ?? {});
    const literal = paths.filter(([template]) => template === path);
    const fits = literal.length > 0 ? literal : paths.filter(([template]) => matches(template, path));
    const fewest = fits.sort(([a], [b]) => a.split('{').length - b.split('{').length);
    const item = fewest[0]?.[1] ?? {};
    const verbs = {
      GET: item.get,
      HEAD: item.get,
      PUT: item.put,
      PATCH: item.patch,
      POST: item.post,
      DELETE: item.delete,
    };
    return Object.entries(verbs).find(([verb]) => verb === method)?.[1];
  }

  /** Error if the operation does not list the status by itself: only faults may use the default response. */
  statusDepartures({ method, path, status }: Exchange): string[] {
    const responses = this.#operationOf(method, path)?.responses;
    if (!responses || responses[String(status)]) return [];
    return [`status: ${Object.keys(responses).join(', ')} are listed, ${status} is not`];
  }

  /** Lists how a header departs from its definition. */
  headerDepartures(name: string, text: string | null, response: OpenAPIV3_1.ResponseObject): string[] {
    const own = response.headers?.[name];
    const isShared = own === undefined || '$ref' in own;
    const header = isShared ? this.document.components?.headers?.[name] : own;
    if (!header || '$ref' in header) return [`header ${name}: the document does not describe it`];
    if (text === null) return header.required === true ? [`header ${name}: is missing`] : [];
    const validate = responseSchemas.compile(this.document, header.schema);
    const value = /^-?\d+$/.test(text) ? Number(text) : text;
    return validate(value) ? [] : [`header ${name}: ${text} ${JSON.stringify(validate.errors)}`];
  }

  bodyDepartures({ method, headers, text }: Exchange, response: OpenAPIV3_1.ResponseObject): string[] {
    const type = headers.get('content-type')?.split(';')[0]?.trim() ?? 'none';
    const media = response.content?.[type];
    if (!media) return [`content type: ${type} is not listed`];
    if (method === 'HEAD') return text === '' ? [] : ['body: an answer to HEAD has none'];
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return ['body: is no JSON'];
    }
    const validate = responseSchemas.compile(this.document, media.schema);
    if (!validate(body)) {
      return (validate.errors ?? []).map(({ instancePath, message }) => `body${instancePath}: ${message}`);
    }
    const schemas = this.#branches(media.schema);
    return this.#strangers(schemas, body, 'body');
  }

  /** The fields that no schema names. Schemas admit more than they name, as clients must; the simulator gives no more. */
  #strangers(schemas: readonly Schema[], value: unknown, path: string): string[] {
    if (Array.isArray(value)) {
      const items = schemas.flatMap((schema) => ('items' in schema ? this.#branches(schema.items) : []));
      return value.flatMap((item, index) => this.#strangers(items, item, `${path}/${index}`));
    }
    if (typeof value !== 'object' || value === null) return [];
    if (schemas.some((schema) => schema.additionalProperties !== undefined)) return [];
    return Object.entries(value).flatMap(([name, part]) => {
      const named = schemas.flatMap((schema) => schema.properties?.[name] ?? []);
      if (named.length === 0) return [`${path}/${name}: the document does not name it`];
      return this.#strangers(
        named.flatMap((schema) => this.#branches(schema)),
        part,
        `${path}/${name}`,
      );
    });
  }

  /** A schema and all that it refers to or is put together from. */
  #branches(schema: Schema | OpenAPIV3_1.ReferenceObject | undefined): Schema[] {
    if (!schema) return [];
    if ('$ref' in schema) {
      const name = schema.$ref.slice('#/components/schemas/'.length);
      return this.#branches(this.document.components?.schemas?.[name]);
    }
    const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? [])];
    return [schema, ...parts.flatMap((part) => this.#branches(part))];
  }
}

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

/** A strict Ajv, which is not the simulator's. */
function responseValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, meta: false, validateSchema: false });
  addFormats.default(ajv, ['date', 'date-time', 'email']);
  ajv.addVocabulary(['components', 'x-gap', 'x-form', 'x-decimal-places', 'x-minor-units', 'x-duration']);
  ajv.addKeyword({
    keyword: 'x-not-before',
    schemaType: 'string',
    validate: (sibling: string, date: unknown, _schema?: unknown, at?: { parentData: unknown }) => {
      const record = at?.parentData;
      const earlier: unknown = typeof record === 'object' && record !== null ? Reflect.get(record, sibling) : null;
      return typeof date !== 'string' || typeof earlier !== 'string' || Date.parse(date) >= Date.parse(earlier);
    },
  });
  return ajv;
}

const responseSchemas = new SchemaCache(responseValidator);
