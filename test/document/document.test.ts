import { readFileSync } from 'node:fs';
import type { OpenAPIV3_1 } from 'openapi-types';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { billingDocument, operationIds } from '../../src/generated/billing-document.js';
import { apiOf } from '../../src/http/document/profiles.js';
import { buildDocument } from '../../src/http/document/served-document.js';
import { createRoutes } from '../../src/http/service/routes.js';
import { Views } from '../../src/http/service/views.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { createWorld } from '../../src/simulation/world.js';
import { createMemoryStore } from '../../src/store/memory.js';
import { compileSchema, schemasOf } from '../support/document-schemas.js';
import { isolatedPorts } from '../support/ports.js';

const schemas = schemasOf(billingDocument);
const operations = Object.entries(billingDocument.paths ?? {}).flatMap(([path, item = {}]) =>
  Object.entries({ get: item.get, post: item.post, put: item.put, patch: item.patch, delete: item.delete }).flatMap(
    ([method, operation]) => (operation ? [{ name: `${method.toUpperCase()} ${path}`, operation }] : []),
  ),
);

test('the document has the operations and scopes of the specification, and no others', () => {
  const scopes = operations.map(({ name, operation }) => `${name}: ${operation.security?.[0]?.['bearer']?.join()}`);
  expect(scopes.sort()).toEqual(
    [
      'GET /invoices: billing.read',
      'GET /invoices/{invoice}: billing.read',
      'GET /invoices/stats: billing.read',
      'GET /invoices/overdue: billing.read',
      'POST /invoices: billing.write',
      'POST /invoices/{invoice}/reminder: billing.write',
      'POST /payment-links: billing.write',
      'GET /payment-links: billing.read',
      'GET /payments: billing.read',
      'POST /deposits: billing.write',
      'GET /deposits: billing.read',
      'GET /deposits/{id}: billing.read',
      'POST /deposits/{id}/capture: billing.write',
      'POST /deposits/{id}/release: billing.write',
    ].sort(),
  );
});

test('the document has the events of the specification, and no others', () => {
  expect(Object.keys(billingDocument.webhooks ?? {}).sort()).toEqual([
    'deposit.authorized',
    'deposit.captured',
    'deposit.created',
    'deposit.expired',
    'deposit.failed',
    'deposit.partially_captured',
    'deposit.released',
    'payment.succeeded',
  ]);
});

test('the service has a route for each operation of the document', async () => {
  const world = await createWorld({
    store: createMemoryStore(),
    ports: isolatedPorts(),
    secret: () => 'secret',
    resolveProfile,
    onStoreFailure: () => undefined,
  });
  const routes = createRoutes(new Views({ url: '' }), world.accounts);
  expect(Object.keys(routes).sort()).toEqual([...operationIds].sort());
  expect(operations.map(({ operation }) => operation.operationId)).toEqual(operationIds);
});

describe('every schema compiles in strict mode', () => {
  test.each(schemas)('$location', ({ schema }) => {
    expect(() => compileSchema(billingDocument, schema)).not.toThrow();
  });
});

describe('every example is valid under its schema', () => {
  test.each(schemas.filter(({ examples }) => examples.length > 0))('$location', ({ schema, examples }) => {
    const validate = compileSchema(billingDocument, schema);
    const invalidExamples = examples.filter((example) => !validate(structuredClone(example)));
    expect(invalidExamples).toEqual([]);
  });
});

describe('every response and every request body has an example', () => {
  const content = schemas.filter(({ location }) => /^(responses|requestBodies) /.test(location));

  test.each(content)('$location', ({ examples }) => {
    expect(examples.length).toBeGreaterThan(0);
  });
});

describe('every response in the document has the rate-limit headers', () => {
  const responses = operations.flatMap(({ name, operation }) =>
    Object.entries(operation.responses ?? {}).map(([status, response]) => ({ name: `${name} ${status}`, response })),
  );

  test.each(responses)('$name', ({ response }) => {
    const { headers = {} } = resolveReference(response);
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']),
    );
  });
});

describe('a schema does not compile if it has', () => {
  test.each([
    ['an unknown keyword', { type: 'number', maximun: 5 }, 'unknown keyword: "maximun"'],
    ['an unknown type', { type: 'decimal' }, 'data/type must be equal to one of the allowed values'],
    ['a keyword for another type', { type: 'string', minimum: 1 }, 'missing type "number" for keyword "minimum"'],
    ['a keyword with a value of another type', { type: 'number', minimum: '1' }, 'data/minimum must be number'],
    ['a reference to an unknown schema', { $ref: '#/components/schemas/Nothing' }, 'undefined is not a schema'],
    ['an invalid pattern', { type: 'string', pattern: '(' }, 'Unterminated group'],
    ['an unknown format', { type: 'string', format: 'color' }, 'unknown format "color"'],
  ])('%s', (_name, schema, error) => {
    const document = structuredClone(billingDocument);
    // `NewPaymentLink` refers to `Amount`.
    Object.assign(document.components?.schemas ?? {}, { Amount: schema });
    expect(() => compileSchema(document, { $ref: '#/components/schemas/NewPaymentLink' })).toThrow(error);
  });
});

describe('/openapi.json', () => {
  let defaultSimulator: Simulator;
  let customSimulator: Simulator;
  beforeAll(async () => {
    defaultSimulator = await startSimulator();
    customSimulator = await startSimulator({
      profile: { 'deposit.per-page': { bounds: { default: 10, maximum: 20 } }, 'status.created': '200' },
    });
  });
  afterAll(() => Promise.all([defaultSimulator.close(), customSimulator.close()]));

  /** Fetches the document of a simulator, and replaces its URL with the default one, which openapi/billing.yaml has. */
  async function fetchDocument({ url }: Simulator): Promise<unknown> {
    const response = await fetch(`${url}/openapi.json`);
    return JSON.parse((await response.text()).replaceAll(url, 'http://127.0.0.1:4010'));
  }

  test('has a server URL with the host that the request was sent to; so has the document of the control API', async () => {
    const { port } = new URL(defaultSimulator.url);
    for (const document of ['openapi.json', '_sim/openapi.json']) {
      const response = await fetch(`http://localhost:${port}/${document}`);
      const serverUrl = `http://localhost:${port}${document === 'openapi.json' ? '/api/v1' : '/_sim'}`;
      expect(await response.json()).toMatchObject({
        servers: [{ url: serverUrl }, { variables: { origin: { default: `http://localhost:${port}` } } }],
      });
    }
  });

  test('has the public URL of a simulator behind a reverse proxy', async () => {
    const simulator = await startSimulator({ publicUrl: 'https://billing.example' });
    onTestFinished(() => simulator.close());
    const response = await fetch(`${simulator.url}/openapi.json`);
    expect(await response.json()).toMatchObject({ servers: [{ url: 'https://billing.example/api/v1' }, {}] });
  });

  test('with the default profile, is the same as openapi/billing.yaml', async () => {
    expect(await fetchDocument(defaultSimulator)).toEqual(
      parse(readFileSync(new URL('../../openapi/billing.yaml', import.meta.url), 'utf8')),
    );
  });

  test('has the page size and the statuses that the profile chooses', async () => {
    const expected = structuredClone(billingDocument);
    Object.assign(expected.components?.parameters?.['DepositsPerPage'] ?? {}, {
      schema: { type: 'integer', minimum: 1, maximum: 20, default: 10 },
    });
    const depositsListed = expected.components?.responses?.['DepositsListed'];
    Object.assign(
      depositsListed ?? {},
      JSON.parse(JSON.stringify(depositsListed).replace('"per_page":25', '"per_page":10')),
    );
    for (const path of ['/payment-links', '/deposits']) {
      const { 201: created, ...others } = expected.paths?.[path]?.post?.responses ?? {};
      Object.assign(expected.paths?.[path]?.post ?? {}, { responses: { ...others, 200: created } });
    }
    expect(withoutDescriptions(await fetchDocument(customSimulator))).toEqual(withoutDescriptions(expected));
  });
});

/** Removes descriptions, which test/gaps/document.test.ts checks. */
function withoutDescriptions(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document, (name, value: unknown) => (name === 'description' ? undefined : value)));
}

test('the document built for the default profile is the same as the generated one', () => {
  const profile = resolveProfile({});
  expect(buildDocument(apiOf(profile), profile)).toEqual(billingDocument);
});

test('the API of the default profile has the operations of the document', () => {
  expect(apiOf(resolveProfile({})).operations.map(({ id }) => id)).toEqual(operationIds);
});

function resolveReference(
  response: OpenAPIV3_1.ResponseObject | OpenAPIV3_1.ReferenceObject,
): OpenAPIV3_1.ResponseObject {
  if (!('$ref' in response)) return response;
  const definition = billingDocument.components?.responses?.[response.$ref.slice('#/components/responses/'.length)];
  if (!definition || '$ref' in definition) throw new Error(`there is nothing at ${response.$ref}`);
  return definition;
}
