import type { OpenAPIV3_1 } from 'openapi-types';
import { limitedIntegerOrText } from '../lib/integer-or-text.js';
import { compareTemplates, decodePathPart, pathPattern } from '../lib/path-template.js';
import { followReference } from '../lib/references.js';
import { type Check, StrictSchemas } from './schemas.js';
import { listOf, type Node, nodeOf, stringsOf } from './tree.js';

/** A documented parameter of a request, or header of a response. */
export interface Parameter {
  readonly name: string;
  /** Where it is sent: `path`, `query` or `header`. */
  readonly in: string;
  readonly required: boolean;
  readonly isInteger: boolean;
  /** Checks a value of the parameter against its schema. */
  readonly check: Check;
  /** Ids of the gaps (questions that the specification leaves open) that the document marks on the parameter itself. */
  readonly gaps: readonly string[];
}

/** A documented response of an operation. */
export interface Response {
  /** Ids of the gaps that are marked on the response itself. */
  readonly gaps: readonly string[];
  readonly headers: readonly Parameter[];
  /** JSON schema; undefined for a response without content. */
  readonly schema: Node | undefined;
  /** Checks a body against the schema. */
  readonly check: Check | undefined;
  /** Examples of the body, by name. */
  readonly examples: ReadonlyMap<string, unknown>;
}

export interface Operation {
  /** The operationId. */
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  /** Path template: `/invoices/{invoice}`. */
  readonly path: string;
  /** A token needs one of these scopes. */
  readonly scopes: readonly string[];
  /** Ids of the gaps that are marked on the operation itself. */
  readonly gaps: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: { readonly required: boolean; readonly check: Check } | undefined;
  /** Responses by status as in the document: `200`, `default`. */
  readonly responses: ReadonlyMap<string, Response>;
}

/** The operation that a request is for, and the path parameters of the request. */
export interface Route {
  readonly operation: Operation;
  /** Decoded values of the path parameters, by name. */
  readonly pathParameters: ReadonlyMap<string, string>;
}

/** Methods of operations, in lower case as in the document. */
export const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

/** The OpenAPI document of the service, with its operations in a form that is easy to check exchanges against. */
export class ServiceDocument {
  readonly operations: readonly Operation[];
  /** Base path of the service: `/api/v1`. */
  readonly basePath: string;
  readonly #root: Node;
  readonly #schemas: StrictSchemas;
  readonly #paths: readonly { readonly pattern: RegExp; readonly operations: readonly Operation[] }[];

  constructor(document: OpenAPIV3_1.Document) {
    this.#root = nodeOf(document);
    this.basePath = new URL(String(nodeOf(listOf(this.#root['servers'])[0])['url']), 'http://service.invalid').pathname;
    this.#schemas = new StrictSchemas(this.#root);
    this.#paths = Object.entries(nodeOf(this.#root['paths']))
      .sort(([a], [b]) => compareTemplates(a, b))
      .map(([path, item]) => ({
        pattern: pathPattern(path),
        operations: this.#operationsAt(path, nodeOf(item)),
      }));
    this.operations = this.#paths.flatMap(({ operations }) => operations);
  }

  /**
   * Compiles all schemas now, rather than each on its first use.
   * @throws Error with the place of a schema that does not compile in strict mode
   */
  compile(): void {
    this.#schemas.compileAll();
  }

  /**
   * Finds the operation of a request. HEAD is treated as GET without a body.
   * @param path path below the base path, without the query
   */
  route(method: string, path: string): Route | undefined {
    const found = this.#paths.find(({ pattern }) => pattern.test(path));
    const documentedMethod = method === 'HEAD' ? 'GET' : method;
    const operation = found?.operations.find((candidate) => candidate.method === documentedMethod);
    if (!operation) return undefined;
    const groups = Object.entries(found?.pattern.exec(path)?.groups ?? {});
    return { operation, pathParameters: new Map(groups.map(([name, text]) => [name, decodePathPart(text)])) };
  }

  /** Returns true if a schema of the document contains a field of that name. */
  isFieldName(name: string): boolean {
    return this.#schemas.fieldNames.has(name);
  }

  #operationsAt(path: string, item: Node): Operation[] {
    return methods.flatMap((method) => {
      const definition = item[method];
      return definition === undefined ? [] : [this.#operation(method.toUpperCase(), path, item, nodeOf(definition))];
    });
  }

  #operation(method: string, path: string, item: Node, definition: Node): Operation {
    const place = `${method} ${path}`;
    const body = definition['requestBody'];
    const parameters = [...listOf(item['parameters']), ...listOf(definition['parameters'])];
    return {
      id: String(definition['operationId']),
      method,
      path,
      scopes: listOf(definition['security']).flatMap((scheme) => Object.values(nodeOf(scheme)).flatMap(stringsOf)),
      gaps: stringsOf(definition['x-gap']),
      parameters: parameters.map((definitionOrReference) => {
        const parameter = this.#resolve(definitionOrReference);
        return this.#parameter(String(parameter['name']), parameter, place);
      }),
      body: body === undefined ? undefined : this.#body(this.#resolve(body), `${place}, request`),
      responses: new Map(
        Object.entries(nodeOf(definition['responses'])).map(([status, response]) => [
          status,
          this.#response(this.#resolve(response), `${place}, response ${status}`),
        ]),
      ),
    };
  }

  #parameter(name: string, node: Node, place: string): Parameter {
    const schema = nodeOf(node['schema']);
    const gaps = stringsOf(node['x-gap']);
    return {
      name,
      in: String(node['in']),
      required: node['required'] === true,
      isInteger: schema['type'] === 'integer',
      check: this.#schemas.checkOf(schema, `${place}, ${name}`, gaps),
      gaps,
    };
  }

  #body(node: Node, place: string): Operation['body'] {
    const schema = nodeOf(jsonOf(node)['schema']);
    return { required: node['required'] === true, check: this.#schemas.checkOf(schema, place) };
  }

  #response(node: Node, place: string): Response {
    const json = jsonOf(node);
    const schema = node['content'] === undefined ? undefined : nodeOf(json['schema']);
    return {
      gaps: stringsOf(node['x-gap']),
      headers: Object.entries(nodeOf(node['headers'])).map(([name, header]) =>
        this.#parameter(name, { in: 'header', ...this.#resolve(header) }, place),
      ),
      schema,
      check: schema && this.#schemas.checkOf(schema, place),
      examples: new Map(
        Object.entries(nodeOf(json['examples'])).map(([name, example]) => [name, nodeOf(example)['value']]),
      ),
    };
  }

  /** Resolves a part of the document if it is a reference. */
  #resolve(value: unknown): Node {
    const node = nodeOf(value);
    const reference = node['$ref'];
    return typeof reference === 'string' ? this.#resolve(followReference(this.#root, reference)) : node;
  }
}

/** Returns the value of a parameter to validate: a number if the schema expects an integer and the text is one. */
export function parameterValue({ isInteger }: Parameter, text: string): unknown {
  return isInteger ? limitedIntegerOrText(text) : text;
}

function jsonOf(node: Node): Node {
  return nodeOf(nodeOf(node['content'])['application/json']);
}
