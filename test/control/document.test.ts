import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { billingDocument } from '../../src/generated/billing-document.js';
import { controlDocument, operationIds } from '../../src/generated/control-document.js';
import { operationsInMatchingOrder } from '../../src/http/control/operations.js';
import { memberOf } from '../../src/lib/json.js';
import { compileSchema, schemasOf } from '../support/document-schemas.js';
import { type ControlServer, startControlServer } from './control-server.js';

/** The OpenAPI document of the control API is valid, and describes the operations that are served. */

const schemas = schemasOf(controlDocument);
const operations = operationsInMatchingOrder();

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

test('every operation has a unique id', () => {
  expect(operations.map(({ id }) => id).sort()).toEqual([...operationIds].sort());
  expect(new Set(operationIds).size).toBe(operationIds.length);
});

test('customers have the currencies that the API document of the service lists', () => {
  const { NewCustomer } = controlDocument.components?.schemas ?? {};
  const { CurrencyCode } = billingDocument.components?.schemas ?? {};
  const currency = memberOf(memberOf(NewCustomer, 'properties'), 'currency');
  expect(memberOf(currency, 'pattern')).toBe(memberOf(CurrencyCode, 'pattern'));
  expect(memberOf(currency, 'pattern')).toContain('EUR');
});

test('the document is served unchanged, except that it has the URL of the simulator', async () => {
  const { body } = await sim.callControl('GET', '/openapi.json');
  const documentFile = parse(readFileSync(new URL('../../openapi/control.yaml', import.meta.url), 'utf8'));
  // The server URLs have the host that the request was sent to.
  const servers = parse(JSON.stringify(documentFile.servers).replaceAll('http://127.0.0.1:4010', sim.url));
  expect(body).toEqual({ ...documentFile, servers });
});

describe.each(operations)('$method $path', ({ id, method, path, validators }) => {
  test('is listed in the `Allow` header of its path', async () => {
    const address = path.replace('{account}', 'demo').replace(/\{\w+\}/g, 'x');
    const { status, headers } = await sim.callControl('OPTIONS', address);
    expect(status).toBe(405);
    expect(headers.get('allow')?.split(', ')).toContain(method.toUpperCase());
  });

  test('is handled rather than refused as an unknown route or method', async () => {
    const address = path.replace('{account}', 'nobody').replace(/\{\w+\}/g, '1');
    const { body } = await sim.callControl(method.toUpperCase(), address);
    expect(body, id).not.toMatchObject({ error: expect.stringMatching(/Route|Method/) });
  });

  test('has schemas that compile in strict mode', () => {
    expect(validators).not.toThrow();
  });

  test('lists the error statuses that follow from its method, path and parameters, and a default response', () => {
    const definition = controlDocument.paths?.[path]?.[method];
    const listedStatuses = Object.keys(definition?.responses ?? {});
    const needsNoToken = id === 'getHealth' || id === 'getDocument';
    expect(listedStatuses).toEqual(
      expect.arrayContaining([
        'default',
        ...(needsNoToken ? [] : ['401']),
        ...(path.includes('{account}') ? ['404'] : []),
        ...(method === 'get' ? [] : ['403', '503']),
        ...(definition?.requestBody ? ['400', '413', '415', '422'] : []),
        ...(validators().queryParameters.length > 0 ? ['422'] : []),
      ]),
    );
  });
});

describe('every schema compiles in strict mode, and its examples are valid', () => {
  test.each(schemas)('$location', ({ schema, examples }) => {
    const validate = compileSchema(controlDocument, schema);
    expect(examples.filter((example) => !validate(structuredClone(example)))).toEqual([]);
  });
});

describe('every response and every request body has an example', () => {
  test.each(schemas.filter(({ location }) => /^(?:responses|requestBodies) /.test(location)))(
    '$location',
    ({ examples }) => {
      expect(examples.length).toBeGreaterThan(0);
    },
  );
});

test('every component of the document is referenced in it', () => {
  const text = JSON.stringify(controlDocument);
  const references = Object.entries(controlDocument.components ?? {}).flatMap(([kind, entries]) =>
    kind === 'securitySchemes' ? [] : Object.keys(entries).map((name) => `#/components/${kind}/${name}"`),
  );
  expect(references.filter((reference) => !text.includes(`"${reference}`))).toEqual([]);
});
