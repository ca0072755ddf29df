// Generates docs/control-api.md, or the file given as an argument, from openapi/control.yaml. Run by `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const [, , file = fileURLToPath(new URL('../../docs/control-api.md', import.meta.url))] = process.argv;
const document = parse(readFileSync(new URL('../../openapi/control.yaml', import.meta.url), 'utf8'));

/** Resolves a reference; returns any other value unchanged. */
function resolve(value) {
  if (value.$ref === undefined) return value;
  const [, ...path] = value.$ref.split('/');
  return resolve(path.reduce((node, key) => node[key], document));
}

const cell = (text = '') => text.trim().replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');

/** Describes a type briefly: `string`, `integer or null`, `string[]`, `"real" or "frozen"`. */
function typeOf(schemaOrReference) {
  const schema = resolve(schemaOrReference);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum)
    return schema.enum.length > 8 ? 'string' : schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  const parts = schema.oneOf ?? schema.anyOf;
  if (parts) return [...new Set(parts.map(typeOf))].join(' or ');
  if (schema.allOf) return typeOf(schema.allOf[0]);
  if (schema.type === 'array') return `${schema.items ? typeOf(schema.items) : 'any'}[]`;
  if (schema['x-duration']) return 'duration';
  const types = [schema.type ?? 'any'].flat();
  return types.map((type) => (type === 'string' && schema.format ? schema.format : type)).join(' or ');
}

/** The fields of an object, including those of the schemas that it is composed of. */
function fieldsOf(schemaOrReference) {
  const schema = resolve(schemaOrReference);
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap(fieldsOf);
  const ownFields = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    isRequired: schema.required?.includes(name) ?? false,
    type: typeOf(property),
    description: property.description ?? resolve(property).description,
  }));
  return [...ownFields, ...parts.filter(({ name }) => !ownFields.some((field) => field.name === name))].filter(
    ({ name }, index, all) => all.findIndex((field) => field.name === name) === index,
  );
}

const table = (heading, rows) =>
  rows.length === 0
    ? []
    : [`| ${heading} | Type | |\n| --- | --- | --- |\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}`];

/** Path parameters are evident from the path; paging is described once, at the top of the page. */
const isListedParameter = ({ in: location, name }) => location !== 'path' && name !== 'page' && name !== 'per_page';

function bodySchemaOf(operation) {
  const { content } = operation.requestBody ? resolve(operation.requestBody) : {};
  return content?.['application/json']?.schema;
}

/** Examples with more characters are left out of the page. */
const maxExampleLength = 3000;

/** Describes the successful responses of an operation, each with its first example in the document. */
function successResponsesOf(responses) {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, response]) => {
      const { description, content = {} } = resolve(response);
      const [example] = Object.values(Object.values(content)[0]?.examples ?? {});
      const value = example && resolve(example).value;
      const shown = typeof value === 'string' ? value.trimEnd() : JSON.stringify(value, undefined, 2);
      const block = shown === undefined || shown.length > maxExampleLength ? [] : [`\`\`\`json\n${shown}\n\`\`\``];
      return [`Response \`${status}\`: ${description.trim()}`, ...block];
    });
}

function operationSection({ path, method, operation, parameters }) {
  const rows = parameters
    .filter(isListedParameter)
    .map((parameter) => [
      `\`${parameter.name}\`${parameter.required ? ' (required)' : ''}`,
      cell(typeOf(parameter.schema)),
      cell(parameter.description),
    ]);
  const bodySchema = bodySchemaOf(operation);
  const fields = bodySchema === undefined ? [] : fieldsOf(bodySchema);
  return [
    `### ${operation.summary}`,
    `\`${method.toUpperCase()} /_sim${path}\``,
    operation.description.trim(),
    ...table('Query parameter', rows),
    ...table(
      'Body field',
      fields.map(({ name, isRequired, type, description }) => [
        `\`${name}\`${isRequired ? ' (required)' : ''}`,
        cell(type),
        cell(description),
      ]),
    ),
    ...successResponsesOf(operation.responses),
  ];
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  methods
    .filter((method) => item[method])
    .map((method) => ({
      path,
      method,
      operation: item[method],
      parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])].map(resolve),
    })),
);

const sections = document.tags.flatMap(({ name, description }) => [
  `## ${name}`,
  description.trim(),
  ...operations.filter(({ operation }) => operation.tags.includes(name)).flatMap(operationSection),
]);

writeFileSync(
  file,
  `${[
    '# Control API reference',
    'The control API changes what the Billing Service itself has no operation for: the clock, faults, what guests do. It is what `billing-sim` commands and the dashboard call.',
    'Base address: `http://127.0.0.1:4010/_sim`. The account that exists from the start is `demo`. Send JSON bodies with `Content-Type: application/json`. If the simulator was started with `--control-token`, send it as `Authorization: Bearer TOKEN`.',
    'Lists are paged: `page` (from 1) and `per_page` select a page, and the response is `{current_page, data, per_page, total, last_page}`. Errors are `{"success": false, "error": "…", "errors": {…}}`; the header `X-Sim-Hint` says what to do.',
    'The whole document, with every schema and error, is [openapi/control.yaml](../openapi/control.yaml); a running simulator serves it at `/_sim/openapi.json`.',
    'This page is generated from it: run `npm run docs` after changing it.',
    ...sections,
  ].join('\n\n')}\n`,
);
