// Generates src/generated/ from the documents in this folder, the seeds in fixtures/accounts and the scenarios in
// fixtures/scenarios, and copies the assets of /docs and the pages. Run by `npm run build`.
// The YAML is parsed here, so that the simulator need not parse it at startup.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';
import { _, Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import openapiTS, { astToString } from 'openapi-typescript';
import parseDuration from 'parse-duration';
import { parse } from 'yaml';
import { loadSource } from '../test/support/load-source.mjs';

const { effectStages } = await loadSource('src/domain/faults.ts');
const { depositStatuses, eventNames, invoiceStatuses, paymentStatuses, scopes } =
  await loadSource('src/domain/records.ts');
const { runStatuses, verbNames } = await loadSource('src/domain/scenario.ts');
const { followReference } = await loadSource('src/lib/references.ts');

const require = createRequire(import.meta.url);
const openapiFolder = dirname(fileURLToPath(import.meta.url));
const root = dirname(openapiFolder);
const generatedFolder = join(root, 'src', 'generated');
const generatedNotice = '// Generated from openapi/ by openapi/generate.mjs. Change the YAML there instead.\n';

const readYaml = (name) => parse(readFileSync(join(openapiFolder, name), 'utf8'));
const writeGenerated = (name, text) => writeFileSync(join(generatedFolder, name), generatedNotice + text);
// By default, openapi-typescript makes a URL of the path of the working directory without encoding characters such as `%`.
const cwd = pathToFileURL(`${root}/`);
const typesOf = async (document, options = {}) =>
  astToString(await openapiTS(JSON.parse(JSON.stringify(document)), { cwd, ...options }));
/** Returns a module with data as a literal, so that the compiler checks the data against its type. */
const dataModule = (name, type, from, value) =>
  `import type { ${type} } from '${from}';\n\nexport const ${name}: ${type} = ${JSON.stringify(value)};\n`;
/**
 * Returns a module that parses an OpenAPI document. As a literal it would not match its type, which lacks the `x-`
 * keywords.
 */
const jsonModule = (name, type, from, value) =>
  `import type { ${type} } from '${from}';\n\nexport const ${name}: ${type} = JSON.parse(${JSON.stringify(JSON.stringify(value))});\n`;

function describedChoices(choices) {
  return Object.fromEntries(
    Object.entries(choices).map(([name, choice]) => [
      name,
      typeof choice === 'string' ? { description: choice } : choice,
    ]),
  );
}

/** Returns the schema of a resolved profile: every gap has a choice, and durations are in milliseconds. */
function profileSchema(gaps) {
  const properties = {};
  for (const [id, gap] of Object.entries(gaps)) {
    const plain = Object.keys(gap.choices).filter((name) => !gap.choices[name].takes);
    const valued = Object.entries(gap.choices).filter(([, choice]) => choice.takes);
    properties[id] = {
      oneOf: [
        { enum: plain },
        ...valued.map(([name, { takes }]) => ({
          type: 'object',
          properties: { [name]: takes['x-duration'] ? { type: 'integer' } : takes },
          required: [name],
        })),
      ],
    };
  }
  return { type: 'object', properties, required: Object.keys(gaps) };
}

/**
 * Returns a document of requests after validation: nulls of optional fields are removed, and defaults are filled in.
 */
function validatedRequests(part) {
  if (Array.isArray(part)) return part.map(validatedRequests);
  if (typeof part !== 'object' || part === null) return part;
  const { anyOf, 'x-default': value, ...rest } = part;
  const others = anyOf?.filter(({ $ref }) => $ref !== '#/components/schemas/NullForOmitted') ?? [];
  const oneOrMore = others.length === 1 ? others[0] : { anyOf };
  const whole = {
    ...rest,
    ...(anyOf && oneOrMore),
    ...(value === undefined ? {} : { default: value }),
  };
  return Object.fromEntries(Object.entries(whole).map(([name, inner]) => [name, validatedRequests(inner)]));
}

/**
 * Returns the fault of a step in a built-in scenario. Effects in short form are not allowed, because their parser is
 * not built yet.
 */
function faultOf({ effect, match = {}, times = null, until = null, for: span }) {
  const effects = [effect].flat();
  if (effects.some((part) => typeof part === 'string'))
    throw new Error(`write ${effect} as a mapping in built-in scenarios`);
  return { effects, match, times, until, for: span === undefined ? null : parseDuration(span) };
}

/**
 * Returns a document with one schema, and converts the keys in the schema to camel case: `allow-host` to `allowHost`.
 */
function documentOfSchema(name, { $schema: _dialect, ...schema }) {
  const inCamelCase = ({ properties, ...rest }) => ({
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties)
          .filter(([key]) => key !== '$schema')
          .map(([key, value]) => [
            key.replace(/-([a-z])/g, (_all, letter) => letter.toUpperCase()),
            inCamelCase(value),
          ]),
      ),
    }),
  });
  const info = { title: name, version: '1' };
  return { openapi: '3.1.0', info, paths: {}, components: { schemas: { [name]: inCamelCase(schema) } } };
}

/** Lists the operations of a document, in the order of its paths. */
function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, item]) =>
    ['get', 'put', 'patch', 'post', 'delete']
      .filter((method) => item[method])
      .map((method) => ({ path, item, method, operation: item[method] })),
  );
}

/** Returns the schema of a JSON response, which may be a reference; an empty array for other responses. */
function jsonSchemaOf(document, response) {
  const found = response?.$ref === undefined ? response : followReference(document, response.$ref);
  return found?.content?.['application/json']?.schema ?? [];
}

const typeKeywords = ['type', 'const', 'enum', 'required', 'allOf', 'anyOf', 'oneOf', 'items'];

/** Reduces a schema to the keywords that a TypeScript type can express. */
function typeSchemaOf(schema) {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(typeSchemaOf);
  const { $ref, properties, additionalProperties } = schema;
  const supported = typeKeywords
    .filter((keyword) => keyword in schema)
    .map((keyword) => [keyword, typeSchemaOf(schema[keyword])]);
  return {
    ...Object.fromEntries(supported),
    ...($ref === undefined ? {} : { $ref: `control${$ref}` }),
    ...(properties === undefined ? {} : { properties: typeSchemasOf(properties) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: typeSchemaOf(additionalProperties) } : {}),
  };
}

function typeSchemasOf(schemas) {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, typeSchemaOf(schema)]));
}

mkdirSync(generatedFolder, { recursive: true });

const document = readYaml('billing.yaml');
writeGenerated('billing-types.ts', await typesOf(document));
writeGenerated('validated-types.ts', await typesOf(validatedRequests(document)));

const documentModule = (name, value) => {
  const operationIds = operationsOf(value).map(({ operation }) => operation.operationId);
  const text = jsonModule(name, 'OpenAPIV3_1', 'openapi-types', value);
  return `${text.replace(': OpenAPIV3_1 =', ': OpenAPIV3_1.Document =')}
export const operationIds = ${JSON.stringify(operationIds)} as const;
export type OperationId = (typeof operationIds)[number];
`;
};
writeGenerated('billing-document.ts', documentModule('billingDocument', document));

const control = readYaml('control.yaml');
const validatedControl = validatedRequests(control);
writeGenerated('control-types.ts', await typesOf(control));
writeGenerated('config-types.ts', await typesOf(documentOfSchema('BillingSimConfig', readYaml('config.schema.json'))));
// The simulator's own records are read-only.
writeGenerated('control-validated-types.ts', await typesOf(validatedControl, { immutable: true }));
writeGenerated('control-document.ts', documentModule('controlDocument', control));

/** Replaces the references of a document's part with their targets. */
function inlineReferences(document, part) {
  if (Array.isArray(part)) return part.map((item) => inlineReferences(document, item));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...rest } = part;
  const siblings = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, inlineReferences(document, value)]),
  );
  if ($ref === undefined) return siblings;
  const whole = inlineReferences(document, followReference(document, $ref));
  return Object.keys(siblings).length === 0 ? whole : { allOf: [whole], ...siblings };
}

/**
 * Returns the schema of an operation's body: an empty object if it has none, any object if a separate parser checks the
 * body.
 */
function bodySchema(document, operation) {
  if (operation['x-own-words']) return { type: 'object' };
  const body = inlineReferences(document, operation.requestBody);
  return body ? body.content['application/json'].schema : { type: 'object', additionalProperties: false };
}

// Schemas for the validation of requests to the control API. Its document, unlike the service's, does not depend on the
// profile, so its references are replaced here, and the first request does not have to process the whole document.
const controlOperations = operationsOf(validatedControl).map(({ path, item, method, operation }) => ({
  id: operation.operationId,
  method,
  path,
  status: Number(Object.keys(operation.responses).find((status) => status.startsWith('2'))),
  parameters: inlineReferences(validatedControl, [...(item.parameters ?? []), ...(operation.parameters ?? [])]),
  body: bodySchema(validatedControl, operation),
}));
writeGenerated(
  'control-operations.ts',
  `import type { OpenAPIV3_1 } from 'openapi-types';
import type { OperationId } from './control-document.js';

export const controlOperations: readonly {
  readonly id: OperationId;
  readonly method: 'get' | 'put' | 'patch' | 'post' | 'delete';
  readonly path: string;
  readonly status: number;
  readonly parameters: readonly OpenAPIV3_1.ParameterObject[];
  readonly body: OpenAPIV3_1.SchemaObject;
}[] = JSON.parse(${JSON.stringify(JSON.stringify(controlOperations))});
`,
);

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
writeGenerated('version.ts', `export const version = ${JSON.stringify(version)};\n`);

/** The gaps with all choices as objects. In gaps.yaml, a string stands for a choice that only has a description. */
const gaps = Object.fromEntries(
  Object.entries(readYaml('gaps.yaml')).map(([id, gap]) => [id, { ...gap, choices: describedChoices(gap.choices) }]),
);
const emptyDocument = { openapi: '3.1.0', info: { title: 'profiles', version: '1' }, paths: {} };
const profileTypes = await typesOf({ ...emptyDocument, components: { schemas: { Profile: profileSchema(gaps) } } });
const registryType =
  "export type GapRegistry = Record<keyof components['schemas']['Profile'], import('../domain/gaps.js').Gap>;\n";
writeGenerated('profile-types.ts', `${profileTypes}${registryType}`);
writeGenerated('gap-registry.ts', dataModule('gapRegistry', 'GapRegistry', './profile-types.js', gaps));

for (const name of ['demo', 'empty']) {
  const seed = JSON.parse(readFileSync(join(root, 'fixtures', 'accounts', `${name}.json`), 'utf8'));
  writeGenerated(`seed-${name}.ts`, dataModule(name, 'Seed', '../domain/seed.js', seed));
}

const scenarios = join(root, 'fixtures', 'scenarios');
const builtInScenarios = readdirSync(scenarios)
  .filter((name) => name.endsWith('.yaml'))
  .sort()
  .map((name) => parse(readFileSync(join(scenarios, name), 'utf8')))
  .map((scenario) => ({
    ...scenario,
    // src/files/scenario-files.ts reads steps in the same way; a test compares the two.
    steps: scenario.steps.map((step) => ({
      after: parseDuration(step.after ?? '0s'),
      do: step.do,
      with: step.with ?? {},
      ...(step.do === 'fault' && { fault: faultOf(step.with) }),
    })),
  }));
writeGenerated(
  'scenarios.ts',
  dataModule('builtInScenarios', 'Scenario', '../domain/scenario.js', builtInScenarios).replace(
    ': Scenario =',
    ': readonly Scenario[] =',
  ),
);

// Validators of stored rows, one for each table, compiled here so that the simulator need not compile them at startup.
const rows = parse(readFileSync(join(root, 'src', 'store', 'rows.schema.yaml'), 'utf8'), { maxAliasCount: -1 });
const seedSchema = JSON.parse(readFileSync(join(root, 'fixtures', 'accounts', 'seed.schema.json'), 'utf8'));
const rowSchemas = Object.entries(rows.tables).map(([table, schema]) => ({ $id: table, ...schema }));
const domainSchema = {
  $id: 'domain',
  $defs: {
    scope: { enum: scopes },
    invoiceStatus: { enum: invoiceStatuses },
    paymentStatus: { enum: paymentStatuses },
    depositStatus: { enum: depositStatuses },
    eventName: { enum: eventNames },
    effectName: { enum: Object.keys(effectStages) },
    verbName: { enum: verbNames },
    runStatus: { enum: runStatuses },
  },
};
const ajv = new Ajv2020({
  schemas: [...rowSchemas, domainSchema, { ...seedSchema, $id: 'seed' }],
  strict: true,
  allowUnionTypes: true,
  code: { source: true, esm: true },
});
// Only the reader of seeds checks these.
ajv.addVocabulary(['x-expected', 'x-relative-time', 'x-time-zone']);
const tables = Object.keys(rows.tables);
const validators = standalone
  .default(ajv, Object.fromEntries(tables.map((table) => [`is_${table}`, table])))
  // ES modules have no `require` for Ajv's CommonJS module.
  .replace('require("ajv/dist/runtime/ucs2length").default', '(text) => [...text].length');
if (validators.includes('require(')) throw new Error('the validators of stored rows need a module');
const validatorsByTable = tables.map((table) => `${table}: is_${table}`).join(', ');
writeGenerated(
  'row-validators.ts',
  `// @ts-nocheck\n${validators}\nexport const rowValidators = { ${validatorsByTable} };\n`,
);
writeGenerated(
  'row-validators-checksum.ts',
  `/** CRC-32 of the validators of stored rows. */\nexport const rowValidatorsChecksum = ${crc32(validators)};\n`,
);

// Validators of the control API's responses, for clients. They check only what the TypeScript types of a response
// express, so that a simulator of another version may add fields. The types are generated from the same document.
const responseSchemas = operationsOf(control).flatMap(({ path, method, operation }) => {
  const schemas = ['200', '201'].flatMap((status) => jsonSchemaOf(control, operation.responses[status]));
  if (schemas.length === 0) return [];
  return { path, method, schema: schemas.length > 1 ? { anyOf: schemas.map(typeSchemaOf) } : typeSchemaOf(schemas[0]) };
});
const responsesAjv = new Ajv({
  schemas: [{ $id: 'control', components: { schemas: typeSchemasOf(control.components.schemas) } }],
  strict: false,
  inlineRefs: false,
  code: { source: true, esm: true },
});
for (const [index, { schema }] of responseSchemas.entries()) responsesAjv.addSchema(schema, `response_${index}`);
const validatorNames = responseSchemas.map((_, index) => `response_${index}`);
const responseCode = standalone.default(responsesAjv, Object.fromEntries(validatorNames.map((name) => [name, name])));
if (responseCode.includes('require(')) throw new Error('the validators of responses need a module');
const validatorsByPath = Object.keys(control.paths).map((path) => {
  const byMethod = responseSchemas.flatMap((each, index) =>
    each.path === path ? `${each.method}: response_${index}` : [],
  );
  return `${JSON.stringify(path)}: { ${byMethod.join(', ')} }`;
});
writeGenerated(
  'response-validators.ts',
  `// @ts-nocheck
import type { paths } from './control-types.js';

type Json<Message> = Message extends { readonly content: { readonly 'application/json': infer Value } } ? Value : never;
/** The JSON of an operation's successful response. */
export type ResponseBody<Operation> = Operation extends { readonly responses: infer Responses }
  ? Json<Responses[keyof Responses & (200 | 201)]>
  : never;
export interface ResponseValidator<Value> {
  (value: unknown): value is Value;
  readonly errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null;
}
type ResponseValidators = {
  readonly [Path in keyof paths]: { readonly [Method in keyof paths[Path]]?: ResponseValidator<ResponseBody<paths[Path][Method]>> };
};
${responseCode}
export const responseValidators: ResponseValidators = { ${validatorsByPath.join(', ')} };
`,
);

// Validators of requests to the control API and, under the default profile, to the service, by the digest of their
// schemas. Each gets its imports as arguments, so that it can be evaluated without the others.
const { requestAjv, requestKeywords, requestOf, schemasOf } = await loadSource('src/openapi/request-schemas.ts');
const requestsAjv = requestAjv({ code: { source: true } });
const requests = [
  ...operationsOf(document).map(({ item, operation }) => requestOf(document, item, operation)),
  ...controlOperations,
];
const requestSchemas = new Set(
  requests
    .flatMap(schemasOf)
    .flatMap(Object.values)
    .map((schema) => JSON.stringify(schema)),
);
const requestValidators = [...requestSchemas].map((text) => {
  const validate = requestsAjv.compile(JSON.parse(text));
  // Ajv cannot generate code for the functions of custom keywords.
  for (const name of validate.source.scopeValues.keyword ?? []) {
    const keyword = Object.keys(requestKeywords).find(
      (each) => requestsAjv.getKeyword(each).validate === name.value.ref,
    );
    name.value.code = _`keywords[${keyword}]`;
  }
  const digest = createHash('sha256').update(text).digest('base64url');
  return `${JSON.stringify(digest)}: once((require, keywords) => {
const module = {}; let self;
${standalone.default(requestsAjv, validate)}
return module.exports;
})`;
});
writeGenerated(
  'request-validators.ts',
  `// @ts-nocheck
import type { ValidateFunction } from 'ajv/dist/2020.js';

type Create = <Value>(
  require: (name: string) => object,
  keywords: Readonly<Record<string, unknown>>,
) => ValidateFunction<Value>;

function once(create) {
  let created;
  return (...imported) => (created ??= create(...imported));
}

/** Validators by the SHA-256 digest of the JSON of their schema. */
export const requestValidators: Readonly<Partial<Record<string, Create>>> = {
${requestValidators.join(',\n')}
};
`,
);

const swagger = dirname(require.resolve('swagger-ui-dist/package.json'));
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']) {
  cpSync(join(swagger, name), join(root, 'dist', 'swagger-ui', name));
}

// Assets of the pages: their style sheet, and https://htmx.org with its extension for server-sent events. The license
// of both (0BSD) requires no notice.
const assets = join(root, 'dist', 'assets');
cpSync(join(root, 'src', 'http', 'dashboard', 'assets'), assets, { recursive: true });
for (const file of ['htmx.org/dist/htmx.min.js', 'htmx-ext-sse/sse.js']) {
  cpSync(require.resolve(file), join(assets, basename(file)));
}
