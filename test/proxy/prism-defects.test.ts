import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { OpenAPIV3_1 } from 'openapi-types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billingDocument } from '../../src/generated/billing-document.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import type { ProxiedRequest, ProxiedResponse } from '../../src/proxy/exchange.js';
import { createExchangeChecker } from '../../src/proxy/exchange-checker.js';
import { respondStatelessly } from '../../src/proxy/mock-response.js';
import { loadPrism } from '../../src/proxy/prism.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { formatDeviation } from './test-proxy.js';

/**
 * Known defects of prism-http, which must not affect the proxy and stateless responses. Where possible, a test first
 * shows that prism-http alone has the defect.
 */

const asRecord = (node: unknown): Record<string, unknown> => Object(node);

/** Creates a document of one operation, `GET /things`, whose response has this schema. */
function documentWithSchema(schema: object, otherParts: object = {}): OpenAPIV3_1.Document {
  return JSON.parse(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Things', version: '1' },
      servers: [{ url: '/api/v1' }],
      paths: {
        '/things': {
          get: {
            operationId: 'listThings',
            responses: { 200: { description: 'Things.', content: { 'application/json': { schema } } } },
          },
        },
      },
      ...otherParts,
    }),
  );
}

const thingsRequest: ProxiedRequest = { method: 'GET', path: '/things', query: '', headers: [], body: Buffer.alloc(0) };

function responseWith(value: unknown): ProxiedResponse {
  return { status: 200, headers: ['Content-Type', 'application/json'], body: Buffer.from(JSON.stringify(value)) };
}

async function check(document: OpenAPIV3_1.Document, value: unknown, request = thingsRequest): Promise<string[]> {
  const checker = createExchangeChecker({ document, knownGaps: [], scopes: new Map() });
  return (await checker.check(request, responseWith(value))).map(formatDeviation);
}

/** Errors that prism-http itself reports about a response. */
async function prismErrors(document: OpenAPIV3_1.Document, body: unknown): Promise<unknown[]> {
  const { operations, run } = await loadPrism(document);
  const [operation] = operations;
  if (!operation) throw new Error('the document has no operation');
  const request = { method: 'get', url: { path: '/things' } } as const;
  const { validations } = await run(
    operation,
    request,
    {
      isProxy: true,
      upstream: new URL('http://upstream.invalid'),
      upstreamProxy: undefined,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      mock: { dynamic: false },
    },
    { statusCode: 200, headers: { 'content-type': 'application/json' }, body },
  );
  return [...validations.output];
}

describe('a schema that does not compile', () => {
  const document = documentWithSchema({ type: 'object', properties: { id: { type: 'integr' } } });

  test('is reported with the name of the response; prism-http accepts any body', async () => {
    expect(await prismErrors(document, 'anything')).toEqual([]);
    await expect(check(document, 'anything')).rejects.toThrow(
      /^the schema of GET \/things, response 200 does not compile: .*type/,
    );
  });

  test('is also an error if it has an unknown keyword', async () => {
    await expect(check(documentWithSchema({ type: 'object', propertees: {} }), {})).rejects.toThrow(/unknown keyword/);
  });

  test('does not occur in the document of the service', () => {
    expect(() => createExchangeChecker({ document: billingDocument, knownGaps: [], scopes: new Map() })).not.toThrow();
  });
});

test('an OpenAPI 3.1 document without jsonSchemaDialect is not validated as JSON Schema draft 7', async () => {
  const document = documentWithSchema({ type: 'array', prefixItems: [{ type: 'integer' }], items: false, minItems: 1 });
  expect(await prismErrors(document, ['x'])).not.toEqual([]);
  expect(await check(document, ['x'])).toEqual(['error response body * type']);
  expect(await check(document, [1])).toEqual([]);
});

test('multipleOf: 0.01 accepts 19.99 and rejects 19.999', async () => {
  const document = documentWithSchema({ type: 'object', properties: { amount: { type: 'number', multipleOf: 0.01 } } });
  expect(await prismErrors(document, { amount: 19.99 })).toEqual([expect.objectContaining({ code: 'multipleOf' })]);
  expect(await check(document, { amount: 19.99 })).toEqual([]);
  expect(await check(document, { amount: 19.999 })).toEqual(['error response body amount multipleOf']);
});

test('a timestamp may have any ISO 8601 format with an offset; prism-http accepts only that of RFC 3339', async () => {
  const document = documentWithSchema({ type: 'object', properties: { at: { type: 'string', format: 'date-time' } } });
  for (const at of ['2026-03-01T09:00+01:00', '2026-03-01T09:00:00,5Z', '20260301T090000Z']) {
    expect(await prismErrors(document, { at })).toEqual([expect.objectContaining({ code: 'format' })]);
    expect(await check(document, { at })).toEqual([]);
  }
  for (const at of ['2026-03-01T09:00:00', '2026-03-01', 'soon'])
    expect(await check(document, { at })).toEqual(['error response body at format']);
});

test('decimal places and the order of dates are checked', async () => {
  const document = documentWithSchema({
    type: 'object',
    properties: {
      amount: { type: 'number', 'x-decimal-places': 2 },
      from: { type: 'string' },
      to: { type: 'string', 'x-not-before': 'from' },
    },
  });
  const value = { amount: 1.005, from: '2026-03-02', to: '2026-03-01' };
  expect(await prismErrors(document, value)).toEqual([]);
  expect(await check(document, value)).toEqual([
    'error response body amount x-decimal-places',
    'error response body to x-not-before',
  ]);
});

test('of two maximums, in a referenced schema and next to the reference, both apply', async () => {
  const documentWith = (referenced: number, sibling: number) =>
    documentWithSchema(
      { type: 'object', properties: { id: { $ref: '#/components/schemas/Id', type: 'integer', maximum: sibling } } },
      { components: { schemas: { Id: { type: 'integer', maximum: referenced } } } },
    );
  expect(await prismErrors(documentWith(5, 9), { id: 7 })).toEqual([]);
  expect(await check(documentWith(5, 9), { id: 7 })).toEqual(['error response body id maximum']);
  expect(await check(documentWith(9, 5), { id: 7 })).toEqual(['error response body id maximum']);
});

test('a header value is an integer only if it consists of digits', async () => {
  const document = documentWithSchema({ type: 'object' });
  const get = Object(document.paths?.['/things']?.get);
  asRecord(get.responses['200'])['headers'] = { 'X-Count': { required: true, schema: { type: 'integer' } } };
  const checker = createExchangeChecker({ document, knownGaps: [], scopes: new Map() });
  const deviationsFor = async (count: string) => {
    const { status, headers, body } = responseWith({});
    return (await checker.check(thingsRequest, { status, headers: [...headers, 'X-Count', count], body })).map(
      formatDeviation,
    );
  };
  expect(await deviationsFor('0x10')).toEqual(['error response header X-Count type']);
  expect(await deviationsFor('6e1')).toEqual(['error response header X-Count type']);
  expect(await deviationsFor('60')).toEqual([]);
});

test('a 304 is not a deviation if the request is conditional', async () => {
  const checker = createExchangeChecker({
    document: documentWithSchema({ type: 'object' }),
    knownGaps: [],
    scopes: new Map(),
  });
  const notModified: ProxiedResponse = { status: 304, headers: [], body: Buffer.alloc(0) };
  const conditionalRequest = { ...thingsRequest, headers: ['If-None-Match', '"1"'] };
  expect((await checker.check(conditionalRequest, notModified)).map(formatDeviation)).toEqual([]);
  expect((await checker.check(thingsRequest, notModified)).map(formatDeviation)).toEqual([
    'error response status unlisted',
  ]);
});

describe('OAuth scopes', () => {
  const scopes = new Map([['reader', 'billing.read']]);
  const writeRequest: ProxiedRequest = {
    method: 'POST',
    path: '/payment-links',
    query: '',
    headers: ['Authorization', 'Bearer reader', 'Content-Type', 'application/json'],
    body: Buffer.from('{"description":"d","amount":5}'),
  };
  const created: ProxiedResponse = {
    status: 201,
    headers: [
      'Content-Type',
      'application/json',
      'X-RateLimit-Limit',
      '1',
      'X-RateLimit-Remaining',
      '1',
      'X-RateLimit-Reset',
      '1',
    ],
    body: Buffer.from(
      '{"success":true,"data":{"id":1,"url":"http://u","description":"d","amount":5,"currency":"EUR","created_at":"2026-03-01T09:00:00Z"}}',
    ),
  };
  const forbidden: ProxiedResponse = {
    ...created,
    status: 403,
    body: Buffer.from('{"success":false,"error":"Invalid scope(s) provided."}'),
  };

  test('are checked for tokens with known scopes, unless the service refuses the request', async () => {
    const checker = createExchangeChecker({ document: billingDocument, knownGaps: [], scopes });
    expect((await checker.check(writeRequest, created)).map(formatDeviation)).toEqual(['error request scope scope']);
    expect((await checker.check(writeRequest, forbidden)).map(formatDeviation)).toEqual([]);
  });

  test('are not an error if the token has them, even if the service refuses the request', async () => {
    const checker = createExchangeChecker({ document: billingDocument, knownGaps: [], scopes });
    const readRequest = { ...writeRequest, method: 'GET', body: Buffer.alloc(0) };
    expect((await checker.check(readRequest, forbidden)).map(formatDeviation)).toEqual([]);
  });

  test('are not checked for other tokens', async () => {
    const checker = createExchangeChecker({ document: billingDocument, knownGaps: [], scopes: new Map() });
    expect((await checker.check(writeRequest, created)).map(formatDeviation)).toEqual([]);
  });
});

test('webhooks of the document are not routes', async () => {
  const webhook = { ...thingsRequest, method: 'POST', path: '/payment.succeeded' };
  const { operations } = await loadPrism(billingDocument);
  expect(new Set(operations.map(({ path }) => path))).toEqual(new Set(Object.keys(billingDocument.paths ?? {})));
  expect(await check(billingDocument, {}, webhook)).toEqual(['error request route route']);
});

test('the name of the Bearer scheme is case-insensitive', async () => {
  const checker = createExchangeChecker({ document: billingDocument, knownGaps: [], scopes: new Map() });
  const deviationsFor = async (headers: readonly string[]) => {
    const request = { ...thingsRequest, path: '/invoices/stats', headers };
    return (await checker.check(request, responseWith({}))).map(formatDeviation);
  };
  expect(await deviationsFor([])).toContain('error request token missing');
  expect(await deviationsFor(['authorization', 'bEARER x'])).not.toContain('error request token missing');
});

describe('a call does not modify', () => {
  test('the document', async () => {
    const document: OpenAPIV3_1.Document = JSON.parse(JSON.stringify(billingDocument));
    createExchangeChecker({ document, knownGaps: [], scopes: new Map() });
    await respondStatelessly({
      document,
      operation: 'listInvoices',
      preferences: { seed: '1' },
      defaultSeed: () => '',
    });
    await respondStatelessly({ document, operation: 'listInvoices', preferences: {}, defaultSeed: () => '' });
    expect(document).toEqual(billingDocument);
  });

  test('the configuration of the next call', async () => {
    const call = (preferences: object) =>
      respondStatelessly({ document: billingDocument, operation: 'listPayments', preferences, defaultSeed: () => '' });
    const firstResponse = await call({});
    await call({ code: '429', example: 'too-many' });
    await call({ dynamic: 'true', seed: '9' });
    expect(await call({})).toEqual(firstResponse);
  });
});

describe('in the simulator', () => {
  let sim: Simulator;
  beforeAll(async () => {
    sim = await startSimulator();
  });
  afterAll(() => sim.close());

  test('the Accept header of one client does not affect the next', async () => {
    const prefer = (...headers: string[]) =>
      sendHttpRequest(sim.url, {
        path: '/api/v1/invoices',
        token: 'demo_full',
        headers: ['Prefer', 'code=200', ...headers],
      });
    const xml = await prefer('Accept', 'application/xml');
    const json = await prefer('Accept', 'application/json');
    expect([xml.status, json.status]).toEqual([200, 200]);
    expect(json.text).toBe(xml.text);
  });
});

describe('dynamic data', () => {
  test('depends only on the seed', async () => {
    const generate = (operation: string, seed: string) =>
      respondStatelessly({
        document: billingDocument,
        operation,
        preferences: { dynamic: 'true', seed },
        defaultSeed: () => '',
      });
    const generatedAlone = await generate('listDeposits', 's');
    const { random } = Math;
    Math.random = () => 0.123;
    try {
      await Promise.all([generate('listInvoices', 'other'), generate('getInvoice', 'another')]);
      const [generatedConcurrently] = await Promise.all([generate('listDeposits', 's'), generate('listPayments', 'x')]);
      expect(generatedConcurrently).toEqual(generatedAlone);
    } finally {
      Math.random = random;
    }
  });
});

// Later versions need Node 24. One of them also depends on scarf, whose install script reports each installation.
describe('the versions of prism-http', () => {
  const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));
  const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

  test('are pinned', () => {
    expect(devDependencies).toMatchObject({ '@stoplight/prism-http': '5.12.0', '@stoplight/prism-core': '5.8.0' });
    const require = createRequire(import.meta.url);
    for (const name of ['@stoplight/prism-http', '@stoplight/prism-core']) {
      expect(require(`${name}/package.json`).version).toBe(devDependencies[name]);
    }
  });

  test('have no dependencies with install scripts', () => {
    const needed = new Set<string>();
    const addDependencies = (name: string, from: string): void => {
      const folders = [`${from}/node_modules/${name}`, `node_modules/${name}`];
      const folder = folders.find((candidate) => lock.packages[candidate] !== undefined);
      if (folder === undefined || needed.has(folder)) return;
      needed.add(folder);
      for (const dependency of Object.keys(lock.packages[folder].dependencies ?? {}))
        addDependencies(dependency, folder);
    };
    addDependencies('@stoplight/prism-http', '');
    // prism-http needs this package only indirectly, so the search has followed dependencies of dependencies.
    expect(needed).toContain('node_modules/@stoplight/path');
    expect([...needed].filter((folder) => lock.packages[folder].hasInstallScript)).toEqual([]);
    expect([...needed].filter((folder) => folder.includes('scarf'))).toEqual([]);
  });
});
