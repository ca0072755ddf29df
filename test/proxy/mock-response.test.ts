import { describe, expect, test } from 'vitest';
import { billingDocument } from '../../src/generated/billing-document.js';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import { servedDocument } from '../../src/http/document/profiles.js';
import type { Choices } from '../../src/index.js';
import type { Preferences, StatelessResponse } from '../../src/lib/stateless-response.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { respondStatelessly } from '../../src/proxy/mock-response.js';
import { gapCases } from '../gaps/cases/index.js';
import { namedChoicesOf } from '../gaps/named-choices.js';
import { DocumentChecker } from '../support/document-checker.js';
import { sampleUnlessFull } from '../support/sample.js';

/** Stateless responses, which prism-http makes from the OpenAPI document. The `Prefer` header selects them. */

interface TestedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly codes: readonly string[];
}

/** Lists the operations of a document with their statuses; 500 stands for the default response. */
function operationsOf(document: typeof billingDocument): TestedOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries({ GET: item?.get, POST: item?.post }).flatMap(([method, operation]) => {
      if (!operation?.operationId) return [];
      const codes = Object.keys(operation.responses ?? {}).map((code) => (code === 'default' ? '500' : code));
      return [{ id: operation.operationId, method, path, codes }];
    }),
  );
}

async function respondTo(operation: string, preferences: Preferences, document = billingDocument) {
  return respondStatelessly({ document, operation, preferences, defaultSeed: () => 'default-seed' });
}

/** Returns a response. @throws Error if the preferences were refused instead */
function expectResponse(result: StatelessResponse): Exclude<StatelessResponse, { problem: string }> {
  if ('problem' in result) throw new Error(result.problem);
  return result;
}

/** Returns the deviations of a response, found by a checker that is independent of prism-http. */
function deviationsOf(
  checker: DocumentChecker,
  { method, path }: TestedOperation,
  { status, body }: ReturnType<typeof expectResponse>,
) {
  const exchange = {
    method,
    path,
    status,
    headers: new Headers({ 'Content-Type': 'application/json' }),
    text: body,
  };
  const response = checker.responseOf(exchange);
  return typeof response === 'string' ? [response] : checker.bodyDeviations(exchange, response);
}

const seeds = ['1', 'two', '三', '0', 'a much longer seed, with spaces'];
const operations = operationsOf(billingDocument);

test('these tests include all operations', () => {
  const ids = Object.values(billingDocument.paths ?? {}).flatMap((item) =>
    Object.values(Object(item)).flatMap((operation) => Object(operation).operationId ?? []),
  );
  expect(ids.length).toBeGreaterThan(0);
  expect(new Set(operations.map(({ id }) => id))).toEqual(new Set(ids));
});

describe.each(operations)('$id', (operation) => {
  const checker = new DocumentChecker(billingDocument);

  test.each(operation.codes)(
    'status %s: the example and generated data match the document, and generated data depends on the seed',
    async (code) => {
      const exampleResponse = expectResponse(await respondTo(operation.id, { code }));
      expect(exampleResponse.status).toBe(Number(code));
      expect(deviationsOf(checker, operation, exampleResponse)).toEqual([]);
      const generatedBodies = new Set<string>();
      for (const seed of seeds) {
        const generated = expectResponse(await respondTo(operation.id, { code, dynamic: 'true', seed }));
        expect(deviationsOf(checker, operation, generated)).toEqual([]);
        // Amounts in the data are not negative and have at most two decimal places.
        expect(generated.body).not.toMatch(/:-|\d\.\d{3}/);
        expect(expectResponse(await respondTo(operation.id, { code, dynamic: 'true', seed })).body).toBe(
          generated.body,
        );
        generatedBodies.add(generated.body);
      }
      // The response to a reminder has no fields whose values can differ.
      const isBodyConstant = operation.id === 'sendInvoiceReminder' && code === '200';
      expect(generatedBodies.size).toBe(isBodyConstant ? 1 : seeds.length);
    },
  );
});

/** Matches the paths of the document's parts that only requests and webhooks use. */
const requestAndWebhookPaths =
  /\/(New\w+|Capture|Metadata\w*|Text|LongText|Amount|Quantity|UnitPrice|TaxRate|\w+Event)(\/|$)|\/parameters\//;

const choicesForResponses = namedChoicesOf(gapRegistry)
  .filter(({ choice }) => choice.document?.some(({ path }) => !requestAndWebhookPaths.test(String(path))))
  .map(({ gapId, name }): [string, Choices] => {
    // Some choices take a value, such as `only: [card]`.
    const value = Object.entries(gapCases).find(([id]) => id === gapId)?.[1].choiceValues?.[name];
    return [`${gapId}: ${name}`, { [gapId]: value === undefined ? name : { [name]: value } }];
  });

describe.each(sampleUnlessFull(choicesForResponses, { oneIn: 20 }))('with the choice %s', (_, choices) => {
  const document = servedDocument(resolveProfile(choices));
  const checker = new DocumentChecker(document);

  test('every response matches the document of the profile', async () => {
    for (const operation of operationsOf(document)) {
      for (const code of operation.codes) {
        for (const preferences of [{ code }, { code, seed: '7' }]) {
          const response = expectResponse(await respondTo(operation.id, preferences, document));
          expect(deviationsOf(checker, operation, response), `${operation.id} ${code}`).toEqual([]);
        }
      }
    }
  });
});

test('generated decimals are positive and have two places, also as strings', async () => {
  const document = servedDocument(resolveProfile({ 'decimal.encoding': 'string' }));
  for (let seed = 0; seed < 10; seed++) {
    const { body } = expectResponse(await respondTo('getInvoiceStats', { seed: `s${seed}` }, document));
    const { total_outstanding, total_overdue } = JSON.parse(body).data;
    expect([total_outstanding, total_overdue].join()).toMatch(/^[1-9]\d{0,2}\.\d\d,[1-9]\d{0,2}\.\d\d$/);
  }
});

test("without a seed, the caller's default seed is used", async () => {
  const { body, applied } = expectResponse(await respondTo('listPayments', { dynamic: 'true' }));
  expect(applied).toEqual({ dynamic: 'true', seed: 'default-seed' });
  expect(expectResponse(await respondTo('listPayments', { seed: 'default-seed' })).body).toBe(body);
});

describe('a response is selected by', () => {
  test.each<[title: string, preferences: Preferences, expected: object]>([
    ['a code', { code: '404' }, { status: 404, applied: { code: '404' }, body: /Invoice not found/ }],
    ['an example', { example: 'partly-paid' }, { status: 200, applied: { example: 'partly-paid' }, body: /partial/ }],
    ['an example of an error', { example: 'no-token' }, { status: 401, body: /Unauthenticated/ }],
    ['a code, rather than an example', { code: '404', example: 'invoice' }, { status: 404, body: /Invoice not found/ }],
    ['a code that only the default response covers', { code: '502' }, { status: 502, body: /Server Error/ }],
    ['the example of the default response', { example: 'server-error' }, { status: 500, body: /Server Error/ }],
    [
      'an example, rather than dynamic data',
      { example: 'partly-paid', dynamic: 'true' },
      { applied: { example: 'partly-paid' } },
    ],
    ['dynamic=false', { dynamic: 'false' }, { status: 200, applied: { dynamic: 'false' }, body: /INV-2026-00001/ }],
    ['dynamic without a value', { dynamic: '' }, { status: 200, applied: { dynamic: 'true', seed: 'default-seed' } }],
    ['a seed alone', { seed: 's' }, { status: 200, applied: { dynamic: 'true', seed: 's' } }],
  ])('%s', async (_title, preferences, { body, ...expected }: { body?: RegExp }) => {
    const response = expectResponse(await respondTo('getInvoice', preferences));
    expect(response).toMatchObject(expected);
    expect(response.body).toMatch(body ?? /^/);
  });
});

test('a 429 response has a Retry-After header', async () => {
  expect(expectResponse(await respondTo('getInvoice', { code: '429' })).headers).toMatchObject({ 'Retry-After': '30' });
});

describe('the error for invalid preferences says what is valid', () => {
  const codes = 'Available: `200`, `401`, `403`, `404`, `429`, and any other from 400 to 599';
  const examples =
    'Available: partly-paid (200), no-token (401), read-only (403), invoice (404), too-many (429), server-error (default)';
  test.each<[preferences: Preferences, problem: string]>([
    [{ code: '201' }, `getInvoice has no code \`201\`; did you mean \`200\`? ${codes}`],
    [{ code: '4o4' }, `getInvoice has no code \`4o4\`; did you mean \`404\`? ${codes}`],
    [{ code: 'default' }, expect.stringContaining('getInvoice has no code `default`')],
    [{ code: '' }, expect.stringContaining('getInvoice has no code ``')],
    [{ code: '__proto__' }, expect.stringContaining('no code `__proto__`')],
    [{ example: 'partly' }, `getInvoice has no example \`partly\`; did you mean \`partly-paid\`? ${examples}`],
    [
      { code: '404', example: 'invoce' },
      `getInvoice has no example \`invoce\` for 404; did you mean \`invoice\`? ${examples}`,
    ],
    [
      { code: '404', example: 'partly-paid' },
      expect.stringContaining('getInvoice has no example `partly-paid` for 404'),
    ],
    [{ dynamic: 'yes' }, 'dynamic must be true or false, not `yes`'],
    [{ seed: '' }, 'seed needs a value, for example seed=1'],
  ])('%j', async (preferences, problem) => {
    expect(await respondTo('getInvoice', preferences)).toEqual({ problem });
  });
});
