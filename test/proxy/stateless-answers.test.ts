import { describe, expect, test } from 'vitest';
import { billingDocument } from '../../src/generated/billing-document.js';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import { servedDocument } from '../../src/http/document/profiles.js';
import type { Choices } from '../../src/index.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { answerStatelessly, type Preferences, type StatelessAnswer } from '../../src/proxy/mock-response.js';
import { gapCases } from '../gaps/cases/index.js';
import { choicesOf } from '../gaps/choices-of.js';
import { DocumentChecker } from '../support/document-checker.js';
import { sample } from '../support/sample.js';

interface Case {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly codes: readonly string[];
}

/** Every operation with its statuses; 500 stands for the default response. */
function casesOf(document: typeof billingDocument): Case[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries({ GET: item?.get, POST: item?.post }).flatMap(([method, operation]) => {
      if (!operation?.operationId) return [];
      const codes = Object.keys(operation.responses ?? {}).map((code) => (code === 'default' ? '500' : code));
      return [{ id: operation.operationId, method, path, codes }];
    }),
  );
}

async function answer(operation: string, preferences: Preferences, document = billingDocument) {
  return answerStatelessly({ document, operation, preferences, defaultSeed: () => 'chance' });
}

function made(answer: StatelessAnswer): Exclude<StatelessAnswer, { refusal: string }> {
  if ('refusal' in answer) throw new Error(answer.refusal);
  return answer;
}

/** Errors in a response according to an independent validator of the document. */
function deviationsOf(checker: DocumentChecker, { method, path }: Case, { status, body }: ReturnType<typeof made>) {
  const exchange = {
    method,
    path,
    status,
    headers: new Headers({ 'Content-Type': 'application/json' }),
    text: body,
  };
  const found = checker.responseOf(exchange);
  return typeof found === 'string' ? [found] : checker.bodyDeviations(exchange, found);
}

const seeds = ['1', 'two', '三', '0', 'a much longer seed, with spaces'];
const cases = casesOf(billingDocument);

test('the cases include all operations', () => {
  expect(cases).toHaveLength(14);
});

describe.each(cases)('$id', (one) => {
  const checker = new DocumentChecker(billingDocument);

  test.each(one.codes)('%s by an example, and by data of several seeds, is as documented', async (code) => {
    const byExample = made(await answer(one.id, { code }));
    expect(byExample.status).toBe(Number(code));
    expect(deviationsOf(checker, one, byExample)).toEqual([]);
    const bodies = new Set([byExample.body]);
    for (const seed of seeds) {
      const dynamic = made(await answer(one.id, { code, dynamic: 'true', seed }));
      expect(deviationsOf(checker, one, dynamic)).toEqual([]);
      expect(dynamic.body).not.toMatch(/:-|\d\.\d{3}/);
      expect(made(await answer(one.id, { code, dynamic: 'true', seed })).body).toBe(dynamic.body);
      bodies.add(dynamic.body);
    }
    // A reminder that was sent has but one text and perhaps no other.
    expect(bodies.size).toBeGreaterThan(one.id === 'sendInvoiceReminder' && code === '200' ? 0 : seeds.length - 1);
  });
});

/** Parts of a document that concern only requests and webhooks. */
const notOfAnswers =
  /\/(New\w+|Capture|Metadata\w*|Text|LongText|Amount|Quantity|UnitPrice|TaxRate|\w+Event)(\/|$)|\/parameters\//;

const choicesForAnswers = choicesOf(gapRegistry)
  .filter(({ choice }) => choice.document?.some(({ path }) => !notOfAnswers.test(String(path))))
  .map(({ id, name }): [string, Choices] => {
    const value = Object.entries(gapCases).find(([gap]) => gap === id)?.[1].values?.[name];
    return [`${id}: ${name}`, { [id]: value === undefined ? name : { [name]: value } }];
  });

describe.each(sample(choicesForAnswers, 3))('under %s', (_, choices) => {
  const document = servedDocument(resolveProfile(choices));
  const checker = new DocumentChecker(document);

  test('every response matches the document of the profile', async () => {
    for (const one of casesOf(document)) {
      for (const code of one.codes) {
        for (const preferences of [{ code }, { code, seed: '7' }]) {
          const answered = made(await answer(one.id, preferences, document));
          expect(deviationsOf(checker, one, answered), `${one.id} ${code}`).toEqual([]);
        }
      }
    }
  });
});

test('without a seed, the random seed of the caller decides', async () => {
  const { body, applied } = made(await answer('listPayments', { dynamic: 'true' }));
  expect(applied).toEqual({ dynamic: 'true', seed: 'chance' });
  expect(made(await answer('listPayments', { seed: 'chance' })).body).toBe(body);
});

describe('preferences', () => {
  test.each<[string, Preferences, object]>([
    ['a code', { code: '404' }, { status: 404, applied: { code: '404' }, body: /Invoice not found/ }],
    ['an example', { example: 'partly-paid' }, { status: 200, applied: { example: 'partly-paid' }, body: /partial/ }],
    ['an example of an error', { example: 'no-token' }, { status: 401, body: /Unauthenticated/ }],
    ['both', { code: '404', example: 'invoice' }, { status: 404, body: /Invoice not found/ }],
    ['a code that only the default covers', { code: '502' }, { status: 502, body: /Server Error/ }],
    ['the example of the default', { example: 'server-error' }, { status: 500, body: /Server Error/ }],
    [
      'an example, rather than data',
      { example: 'partly-paid', dynamic: 'true' },
      { applied: { example: 'partly-paid' } },
    ],
    ['no data', { dynamic: 'false' }, { status: 200, applied: { dynamic: 'false' }, body: /INV-2026-00001/ }],
    ['data', { dynamic: '' }, { status: 200, applied: { dynamic: 'true', seed: 'chance' } }],
    ['data, by naming a seed', { seed: 's' }, { status: 200, applied: { dynamic: 'true', seed: 's' } }],
  ])('%s', async (_, preferences, { body, ...expected }: { body?: RegExp }) => {
    const answered = made(await answer('getInvoice', preferences));
    expect(answered).toMatchObject(expected);
    expect(answered.body).toMatch(body ?? /^/);
  });

  test('429 has a Retry-After header', async () => {
    expect(made(await answer('getInvoice', { code: '429' })).headers).toMatchObject({ 'Retry-After': '30' });
  });
});

describe('unavailable preferences are refused with the available ones', () => {
  const codes = 'Available: 200, 401, 403, 404, 429, and any other from 400 to 599';
  const examples =
    'Available: partly-paid (200), no-token (401), read-only (403), invoice (404), too-many (429), server-error (default)';
  test.each<[Preferences, string]>([
    [{ code: '201' }, `getInvoice has no code \`201\`; did you mean 200? ${codes}`],
    [{ code: '4o4' }, `getInvoice has no code \`4o4\`; did you mean 404? ${codes}`],
    [{ code: 'default' }, expect.stringContaining('getInvoice has no code `default`')],
    [{ code: '' }, expect.stringContaining('getInvoice has no code ``')],
    [{ code: '__proto__' }, expect.stringContaining('no code `__proto__`')],
    [{ example: 'partly' }, `getInvoice has no example \`partly\`; did you mean partly-paid? ${examples}`],
    [
      { code: '404', example: 'invoce' },
      `404 of getInvoice has no example \`invoce\`; did you mean invoice? ${examples}`,
    ],
    [
      { code: '404', example: 'partly-paid' },
      expect.stringContaining('404 of getInvoice has no example `partly-paid`'),
    ],
    [{ dynamic: 'yes' }, 'dynamic must be true or false, not `yes`'],
    [{ seed: '' }, 'seed needs a value, for example seed=1'],
  ])('%j', async (preferences, refusal) => {
    expect(await answer('getInvoice', preferences)).toEqual({ refusal });
  });
});
