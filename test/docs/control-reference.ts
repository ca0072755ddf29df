import type { OpenAPIV3_1 } from 'openapi-types';
import { resolveReference } from '../../src/lib/references.js';

type Reference = OpenAPIV3_1.ReferenceObject;
type Schema = OpenAPIV3_1.SchemaObject;
type Parameter = OpenAPIV3_1.ParameterObject;

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly type: string;
  readonly description: string | undefined;
}

interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenAPIV3_1.OperationObject;
  /** Parameters of the path and of the operation. */
  readonly parameters: readonly Parameter[];
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Examples with more characters are left out of the page. */
const maxExampleLength = 3000;

const cell = (text = ''): string => text.trim().replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');

const table = (heading: string, rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0
    ? []
    : [`| ${heading} | Type | |\n| --- | --- | --- |\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}`];

/** True for a query parameter to list. The page describes `page` and `per_page` once, for all operations. */
const isListedQueryParameter = ({ in: location, name }: Parameter): boolean =>
  location === 'query' && name !== 'page' && name !== 'per_page';

/** Returns the text of docs/control-api.md. @param document the content of openapi/control.yaml */
export function controlReference(document: OpenAPIV3_1.Document): string {
  const { schemas, requestBodies, responses, parameters, examples } = document.components ?? {};

  /** Follows references until it reaches a schema. */
  function resolveSchema(schema: Schema | Reference): Schema {
    // A schema may also be `true`, which allows any value, although its TypeScript type does not say so.
    if (typeof schema !== 'object') return {};
    if (!('$ref' in schema)) return schema;
    const target = schemas?.[schema.$ref.slice('#/components/schemas/'.length)];
    if (target === undefined) throw new Error(`the document has nothing at ${schema.$ref}`);
    return resolveSchema(target);
  }

  /** Describes a type briefly: `string`, `integer or null`, `string[]`, `"real" or "frozen"`. */
  function typeOf(schemaOrReference: Schema | Reference): string {
    const schema = resolveSchema(schemaOrReference);
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum)
      return schema.enum.length > 8 ? 'string' : schema.enum.map((value) => JSON.stringify(value)).join(' or ');
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives) return [...new Set(alternatives.map(typeOf))].join(' or ');
    // All parts of an `allOf` have the same type.
    const [firstPart] = schema.allOf ?? [];
    if (firstPart) return typeOf(firstPart);
    if (schema.type === 'array') return `${schema.items ? typeOf(schema.items) : 'any'}[]`;
    if ('x-duration' in schema) return 'duration';
    const types = [schema.type ?? 'any'].flat();
    return types.map((type) => (type === 'string' && schema.format ? schema.format : type)).join(' or ');
  }

  /** The fields of an object, including those of the schemas that it is composed of. The first field of a name wins. */
  function fieldsOf(schemaOrReference: Schema | Reference): Field[] {
    const schema = resolveSchema(schemaOrReference);
    const partFields = [schema.allOf, schema.oneOf, schema.anyOf].flatMap((parts) => (parts ?? []).flatMap(fieldsOf));
    const ownFields = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
      name,
      isRequired: schema.required?.includes(name) ?? false,
      type: typeOf(property),
      description: property.description ?? resolveSchema(property).description,
    }));
    return [...ownFields, ...partFields].filter(
      ({ name }, index, all) => all.findIndex((field) => field.name === name) === index,
    );
  }

  function bodyFieldsOf({ requestBody }: OpenAPIV3_1.OperationObject): Field[] {
    if (requestBody === undefined) return [];
    const { content } = resolveReference<OpenAPIV3_1.RequestBodyObject>(requestBodies, requestBody);
    const schema = content['application/json']?.schema;
    return schema === undefined ? [] : fieldsOf(schema);
  }

  /** Describes the successful responses of an operation, each with its first example in the document. */
  function successResponsesOf(operation: OpenAPIV3_1.OperationObject): string[] {
    return Object.entries(operation.responses ?? {})
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, response]) => {
        const { description, content = {} } = resolveReference<OpenAPIV3_1.ResponseObject>(responses, response);
        const [example] = Object.values(Object.values(content)[0]?.examples ?? {});
        const value: unknown = example && resolveReference<OpenAPIV3_1.ExampleObject>(examples, example).value;
        const shown = typeof value === 'string' ? value.trimEnd() : JSON.stringify(value, undefined, 2);
        const block = shown === undefined || shown.length > maxExampleLength ? [] : [`\`\`\`json\n${shown}\n\`\`\``];
        return [`Response \`${status}\`: ${description.trim()}`, ...block];
      });
  }

  function parameterTable(heading: string, rows: readonly Parameter[]): string[] {
    return table(
      heading,
      rows.map(({ name, required, schema, description }) => [
        `\`${name}\`${required ? ' (required)' : ''}`,
        cell(typeOf(schema ?? {})),
        cell(description),
      ]),
    );
  }

  function operationSection({ path, method, operation, parameters }: Operation): string[] {
    return [
      `### ${operation.summary}`,
      `\`${method.toUpperCase()} /_sim${path}\``,
      (operation.description ?? '').trim(),
      // Path parameters have no table: they are evident from the path.
      ...parameterTable('Query parameter', parameters.filter(isListedQueryParameter)),
      ...parameterTable(
        'Header',
        parameters.filter((parameter) => parameter.in === 'header'),
      ),
      ...table(
        'Body field',
        bodyFieldsOf(operation).map(({ name, isRequired, type, description }) => [
          `\`${name}\`${isRequired ? ' (required)' : ''}`,
          cell(type),
          cell(description),
        ]),
      ),
      ...successResponsesOf(operation),
    ];
  }

  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method): Operation[] => {
      const operation = item?.[method];
      if (operation === undefined) return [];
      const unresolved = [...(item?.parameters ?? []), ...(operation.parameters ?? [])];
      const resolved = unresolved.map((parameter) => resolveReference<Parameter>(parameters, parameter));
      return [{ path, method, operation, parameters: resolved }];
    }),
  );

  const sections = (document.tags ?? []).flatMap(({ name, description = '' }) => [
    `## ${name}`,
    description.trim(),
    ...operations.filter(({ operation }) => operation.tags?.includes(name)).flatMap(operationSection),
  ]);

  return `${[
    '# Control API reference',
    'The control API lets you do what the API of the Billing Service cannot: move the clock, inject faults, act as a guest. The commands of `billing-sim` and the dashboard call it.',
    'Base address: `http://127.0.0.1:4010/_sim`. The account that exists from the start is `demo`. Send JSON bodies with `Content-Type: application/json`. If the simulator was started with `--control-token`, send it as `Authorization: Bearer TOKEN`.',
    'Lists are paged: `page` (from 1) and `per_page` (100 by default, up to 10,000) select a page, and the response is `{current_page, data, per_page, total, last_page}`. Errors are `{"success": false, "error": "…", "code": "…", "errors": {…}}`: `code` is stable and one of the [codes of the library](library-reference.md#errorcode), `errors` has the messages about fields, and the `X-Sim-Hint` header says what to do.',
    'The whole document, with every schema and error, is [openapi/control.yaml](../openapi/control.yaml); a running simulator serves it at `/_sim/openapi.json`.',
    'This page is generated from that document: run `npm run docs` after you change the document.',
    ...sections,
  ].join('\n\n')}\n`;
}
