import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OpenAPIV3_1 } from 'openapi-types';
import { beforeAll, describe, expect, test } from 'vitest';
import { readChoices } from '../../src/files/profile-file.js';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import type { GapRegistry } from '../../src/generated/profile-types.js';
import { apiOf, servedDocument } from '../../src/http/document/profiles.js';
import type { Choices } from '../../src/index.js';
import { type Profile, resolveProfile } from '../../src/openapi/profile.js';
import { compileSchema, schemasOf } from '../support/document-schemas.js';
import { hangTimeoutMs } from '../support/hang-timeout.js';
import { isFullRun, sampleUnlessFull } from '../support/sample.js';
import { gapCases } from './cases/index.js';
import { type NamedChoice, namedChoicesOf } from './named-choices.js';

/**
 * Checks that the API document of every profile is consistent. The client in `test-account.ts` checks that each
 * response matches the document.
 */

const gaps: GapRegistry = gapRegistry;
/** All choices except the default of each gap. */
const nonDefaultChoices = namedChoicesOf(gaps).filter(
  ({ gapId, name }) => !Object.entries(gaps).some(([id, gap]) => id === gapId && gap.default === name),
);

/** Returns a profile with only this choice, and with the value from the test case of its gap if it takes one. */
function toProfile({ gapId, name, choice }: NamedChoice): Choices {
  if (choice.takes === undefined) return { [gapId]: name };
  const value = Object.entries(gapCases).find(([id]) => id === gapId)?.[1].choiceValues?.[name];
  if (value === undefined) throw new Error(`the case of ${gapId} has no value for ${name}`);
  return { [gapId]: { [name]: value } };
}

/** Lists the examples that do not match their schemas. */
function findInvalidExamples(choices: Choices): string[] {
  const document = servedDocument(resolveProfile(choices));
  return schemasOf(document).flatMap(({ location, schema, examples }) => {
    if (examples.length === 0) return [];
    const validate = compileSchema(document, schema);
    return examples.flatMap((example) =>
      validate(structuredClone(example))
        ? []
        : [`${location}: ${JSON.stringify(validate.errors)} in ${JSON.stringify(example)}`],
    );
  });
}

/** Lists the requests and responses that have no example. */
function findMissingExamples({ document }: ChoiceDocument): string[] {
  return schemasOf(document)
    .filter(({ location, examples }) => /^(responses|requestBodies) /.test(location) && examples.length === 0)
    .map(({ location }) => location);
}

/** Lists the descriptions that do not state the choice, although the `x-gap` next to them contains its gap. */
function findUnstatedChoices({ document, choice: { gapId, choice } }: ChoiceDocument): string[] {
  const { question } = Object.entries(gaps).find(([id]) => id === gapId)?.[1] ?? {};
  const statement = `${question} ${choice.description.replace(/\.$/, '')}`;
  const missingAtTop = document.info.description?.includes(`\`${gapId}\`: ${statement}`)
    ? []
    : ['the description of the document'];
  return [
    ...missingAtTop,
    ...descriptionsWithGap(document, gapId).filter((description) => !description.includes(statement)),
  ];
}

/** Lists the examples of requests that the simulator refuses. */
function findRefusedExamples({ document: { components = {}, paths }, profile }: ChoiceDocument): string[] {
  return apiOf(profile).operations.flatMap(({ id, path, method, validateBody, takesBody }) => {
    const body = paths?.[path]?.[method]?.requestBody;
    if (!takesBody) return [];
    if (!body || !('$ref' in body)) return [`${id} has no reference to a body`];
    const requestBody = components.requestBodies?.[body.$ref.slice('#/components/requestBodies/'.length)];
    const examples = requestBody && 'content' in requestBody ? requestBody.content['application/json']?.examples : {};
    const values = Object.values(examples ?? {}).flatMap((example) => ('value' in example ? [example.value] : []));
    if (values.length === 0) return [`${id} has no example`];
    return values.filter((value) => !validateBody(structuredClone(value))).map((value) => JSON.stringify(value));
  });
}

/** The document of a profile with a single choice. */
interface ChoiceDocument {
  readonly choice: NamedChoice;
  readonly profile: Profile;
  readonly document: OpenAPIV3_1.Document;
}

/** Rules for the document of a choice, each with a function that lists violations. */
const rules = {
  'every example fits its schema': ({ choice }: ChoiceDocument) => findInvalidExamples(toProfile(choice)),
  'every request and response has an example': findMissingExamples,
  'the description of the document and of each affected part states the choice': findUnstatedChoices,
  'the simulator accepts the examples of requests': findRefusedExamples,
} as const;

const violations = new Map<string, string[]>(Object.keys(rules).map((rule) => [rule, []]));

beforeAll(() => {
  // A full run checks every choice; others check one in eight.
  for (const choice of sampleUnlessFull(nonDefaultChoices, { oneIn: 8 })) {
    const profile = resolveProfile(toProfile(choice));
    const choiceDocument = { choice, profile, document: servedDocument(profile) };
    for (const [rule, findViolations] of Object.entries(rules)) {
      violations
        .get(rule)
        ?.push(...findViolations(choiceDocument).map((violation) => `${choice.gapId}: ${choice.name}: ${violation}`));
    }
  }
});

test.each(Object.keys(rules))('under a single choice: %s', (rule) => {
  expect(violations.get(rule)).toEqual([]);
});

describe('every example fits its schema', () => {
  const folder = new URL('../../fixtures/profiles/', import.meta.url);
  test.each(readdirSync(folder))('under the shipped profile %s', async (file) => {
    expect(findInvalidExamples(await readChoices(fileURLToPath(new URL(file, folder))))).toEqual([]);
  });

  // A full run checks all pairs, which takes about 20 minutes; others check one in 2,000.
  test('under two choices at a time', { timeout: isFullRun ? 20 * hangTimeoutMs : hangTimeoutMs }, () => {
    const pairs = nonDefaultChoices.flatMap((first, index) =>
      nonDefaultChoices.slice(index + 1).map((second) => [first, second] as const),
    );
    const pairsOfGaps = pairs.filter(([first, second]) => first.gapId !== second.gapId);
    const invalidExamples = sampleUnlessFull(pairsOfGaps, { oneIn: 2_000 }).flatMap(([first, second]) => {
      const choices = { ...toProfile(first), ...toProfile(second) };
      return findInvalidExamples(choices).map((example) => `${JSON.stringify(choices)}: ${example}`);
    });
    expect(invalidExamples).toEqual([]);
  });

  test('under the strictest limits of a profile', () => {
    const choices = {
      'amount.maximum': { maximum: 1 },
      'text.lengths': { bounds: { text: 1, notes: 1 } },
      'metadata.size': { bounds: { keys: 1, key_length: 1, value_length: 1 } },
      'metadata.values': 'texts',
      'invoice.item-places': { places: 2 },
      'invoice.tax-rate': { maximum: 0.5 },
      'deposit.per-page': { bounds: { default: 1, maximum: 1 } },
      'deposit.window': { for: '1s' },
      'deposit.link-expiry': { after: '1s' },
      'deposit.required': 'all',
    };
    expect(findInvalidExamples(choices)).toEqual([]);
  });
});

test.each([
  [{ data: 'payload' }],
  [{ data: 'event', event: 'type' }],
  [{ data: 'id', id: 'event', event: 'data' }],
  [{ data: 'created_at', id: 'id', event: 'data', created_at: 'event' }],
])('the schemas of events have exactly the members of the profile, whatever their names: %o', (members) => {
  const choices = { 'event.payload': { members } };
  const { schemas = {} } = servedDocument(resolveProfile(choices)).components ?? {};
  for (const event of ['PaymentEvent', 'DepositEvent'])
    expect(Object.keys(schemas[event]?.properties ?? {}).sort()).toEqual(Object.values(members).sort());
  expect(findInvalidExamples(choices)).toEqual([]);
});

test.each([
  ['invoice.transactions', 'Transaction', ['amount', 'id'], ['amount', 'id']],
  ['invoice.subscription', 'Subscription', ['name'], ['name']],
  // Optional fields stay optional.
  ['deposit.fields', 'Deposit', ['amount', 'customer', 'id'], ['amount', 'id']],
])('under %s, the schema %s has only the fields that responses have: %o', (gap, name, fields, required) => {
  const { schemas = {} } = servedDocument(resolveProfile({ [gap]: { fields } })).components ?? {};
  const schema = schemas[name];
  expect([Object.keys(schema?.properties ?? {}).sort(), schema?.required?.toSorted()]).toEqual([fields, required]);
});

test.each(['booking_reference', 'customer', 'check_in_date', 'metadata'])(
  'a %s may be null only if the profile does not require it',
  (field) => {
    const mayBeNull = (required: string[]): boolean => {
      const document = servedDocument(resolveProfile({ 'deposit.required': { fields: required } }));
      const validate = compileSchema(document, { $ref: '#/components/schemas/NewDeposit' });
      return validate({ amount: 1, [field]: null });
    };
    expect([mayBeNull(['amount', field]), mayBeNull(['amount'])]).toEqual([false, true]);
  },
);

/** Returns the descriptions of all objects in a value of the document whose `x-gap` contains the gap. */
function descriptionsWithGap(value: unknown, gapId: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const gapIds: unknown = Reflect.get(value, 'x-gap');
  const nested = Object.values(value).flatMap((child) => descriptionsWithGap(child, gapId));
  if (!Array.isArray(gapIds) || !gapIds.includes(gapId)) return nested;
  return [String(Reflect.get(value, 'description')), ...nested];
}

test('only the document of a profile other than the default has a list of choices that differ from the defaults', () => {
  expect(JSON.stringify(servedDocument(resolveProfile({})))).not.toContain('not the defaults');
  expect(JSON.stringify(servedDocument(resolveProfile({ 'rate.burst': 'never' })))).toContain('not the defaults');
});

test.each<[Choices, string]>([
  [{ 'rate.reset-unit': 'iso' }, 'epoch seconds'],
  [{ 'rate.reset-unit': 'seconds-left' }, 'epoch seconds'],
  [{ 'rate.burst': 'never' }, 'in a burst'],
  [{ 'null.optional': 'absent' }, '`null` when never given.'],
  [{ 'null.optional': 'empty' }, '`null` when never given.'],
  [{ 'invoice.line-total': 'excluded' }, 'tax included'],
])('under %o the document does not contain %j', (choices, text) => {
  const { components } = servedDocument(resolveProfile(choices));
  // Deposits are left out, since a separate gap, deposit.unset-fields, decides about their nulls.
  const { Deposit: _deposit, ...schemas } = components?.schemas ?? {};
  expect(JSON.stringify([schemas, components?.headers])).not.toContain(text);
  expect(JSON.stringify(servedDocument(resolveProfile({})).components)).toContain(text);
});

test('the document refers to every gap in an `x-gap`', () => {
  const document = servedDocument(resolveProfile({}));
  expect(Object.keys(gaps).filter((id) => descriptionsWithGap(document, id).length === 0)).toEqual([]);
});
