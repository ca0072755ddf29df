import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OpenAPIV3_1 } from 'openapi-types';
import { beforeAll, describe, expect, test } from 'vitest';
import { readChoices } from '../../src/files/seed-file.js';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import type { GapRegistry } from '../../src/generated/profile-types.js';
import { apiOf, servedDocument } from '../../src/http/document/profiles.js';
import type { Choices } from '../../src/index.js';
import type { Profile } from '../../src/openapi/gaps.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { compileSchema, schemasOf } from '../support/document-schemas.js';
import { hangTimeoutMs } from '../support/hang-timeout.js';
import { isFullRun, sample } from '../support/sample.js';
import { gapCases } from './cases/index.js';
import { choicesOf, type NamedChoice } from './choices-of.js';

/**
 * Checks that the document of every profile is consistent. That responses match the document is checked elsewhere: the
 * client in `lab.ts` validates each response against the document of its choices.
 */

const gaps: GapRegistry = gapRegistry;
/** Every choice that is not its gap's default. */
const all = choicesOf(gaps).filter(
  ({ id, name }) => !Object.entries(gaps).some(([gap, one]) => gap === id && one.default === name),
);

/** Returns a choice in the form of a profile, with the value from the test case of its gap. */
function written({ id, name, choice }: NamedChoice): Choices {
  if (choice.takes === undefined) return { [id]: name };
  const value = Object.entries(gapCases).find(([gap]) => gap === id)?.[1].values?.[name];
  if (value === undefined) throw new Error(`the case of ${id} has no value for ${name}`);
  return { [id]: { [name]: value } };
}

/** Lists the examples that do not match their schemas. */
function wrongExamples(choices: Choices): string[] {
  const document = servedDocument(resolveProfile(choices));
  return schemasOf(document).flatMap(({ place, schema, examples }) => {
    if (examples.length === 0) return [];
    const validate = compileSchema(document, schema);
    return examples.flatMap((example) =>
      validate(structuredClone(example))
        ? []
        : [`${place}: ${JSON.stringify(validate.errors)} in ${JSON.stringify(example)}`],
    );
  });
}

/** Request and response variants that a choice allows and that have no example. */
function missingExamples({ document }: ChosenPair): string[] {
  return schemasOf(document)
    .filter(({ place, examples }) => /^(responses|requestBodies) /.test(place) && examples.length === 0)
    .map(({ place }) => place);
}

/** Lists the descriptions of parts with the gap in `x-gap` that do not state the choice. */
function silentPlaces({ document, choice: { id, choice } }: ChosenPair): string[] {
  const { question } = Object.entries(gaps).find(([gap]) => gap === id)?.[1] ?? {};
  const answered = `${question} ${choice.description.replace(/\.$/, '')}`;
  const top = document.info.description?.includes(`\`${id}\`: ${answered}`) ? [] : ['the description of the document'];
  return [...top, ...placesOf(document, id).filter((description) => !description.includes(answered))];
}

/** Lists the examples of requests that the simulator rejects. */
function refusedExamples({ document: { components = {}, paths }, profile }: ChosenPair): string[] {
  return apiOf(profile).operations.flatMap(({ id, path, method, validateBody, takesBody }) => {
    const body = paths?.[path]?.[method]?.requestBody;
    if (!takesBody || !body || !('$ref' in body)) return [];
    const described = components.requestBodies?.[body.$ref.slice('#/components/requestBodies/'.length)];
    const examples = described && 'content' in described ? described.content['application/json']?.examples : {};
    const values = Object.values(examples ?? {}).flatMap((example) => ('value' in example ? [example.value] : []));
    if (values.length === 0) return [`${id} has no example`];
    return values.filter((value) => !validateBody(structuredClone(value))).map((value) => JSON.stringify(value));
  });
}

interface ChosenPair {
  readonly choice: NamedChoice;
  readonly profile: Profile;
  readonly document: OpenAPIV3_1.Document;
}

/** Findings of each lint rule in the documents of all choices. */
const rules = {
  'every example fits its schema': ({ choice }: ChosenPair) => wrongExamples(written(choice)),
  'every request and response has an example': missingExamples,
  'the description of the document and of each affected part states the choice': silentPlaces,
  'the examples of requests are accepted': refusedExamples,
} as const;

const offenders = new Map<string, string[]>(Object.keys(rules).map((rule) => [rule, []]));

beforeAll(() => {
  for (const choice of sample(all, 2)) {
    const profile = resolveProfile(written(choice));
    const chosen = { choice, profile, document: servedDocument(profile) };
    for (const [rule, find] of Object.entries(rules)) {
      offenders.get(rule)?.push(...find(chosen).map((found) => `${choice.id}: ${choice.name}: ${found}`));
    }
  }
});

test.each(Object.keys(rules))('under every choice: %s', (rule) => {
  expect(offenders.get(rule)).toEqual([]);
});

describe('every example fits its schema', () => {
  const folder = new URL('../../fixtures/profiles/', import.meta.url);
  test.each(readdirSync(folder))('under the shipped profile %s', async (file) => {
    expect(wrongExamples(await readChoices(fileURLToPath(new URL(file, folder))))).toEqual([]);
  });

  // All pairs, of a full run, take about 20 minutes.
  test('under two choices at a time', { timeout: isFullRun ? 20 * hangTimeoutMs : hangTimeoutMs }, () => {
    const pairs = all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));
    const pairsOfGaps = pairs.filter(([one, other]) => one.id !== other.id);
    const wrong = sample(pairsOfGaps, 1_000).flatMap(([one, other]) => {
      const choices = { ...written(one), ...written(other) };
      return wrongExamples(choices).map((example) => `${JSON.stringify(choices)}: ${example}`);
    });
    expect(wrong).toEqual([]);
  });

  test('under the strictest limits of a profile', () => {
    const choices = {
      'amount.maximum': { maximum: 1 },
      'text.lengths': { bounds: { text: 1, notes: 1 } },
      'metadata.size': { bounds: { keys: 1, key_length: 1, value_length: 1 } },
      'metadata.values': 'texts',
      'invoice.item-places': { places: 0 },
      'invoice.tax-rate': { maximum: 0.5 },
      'deposit.per-page': { bounds: { default: 1, maximum: 1 } },
      'deposit.window': { for: '1s' },
      'deposit.link-expiry': { after: '1s' },
      'deposit.required': 'all',
    };
    expect(wrongExamples(choices)).toEqual([]);
  });
});

/** Returns the descriptions of all parts that have a gap in their `x-gap`. */
function placesOf(part: unknown, id: string): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const own: unknown = Reflect.get(part, 'x-gap');
  const inner = Object.values(part).flatMap((one) => placesOf(one, id));
  return Array.isArray(own) && own.includes(id) ? [String(Reflect.get(part, 'description')), ...inner] : inner;
}

test('descriptions do not mention defaults', () => {
  expect(JSON.stringify(servedDocument(resolveProfile({})))).not.toContain('not the defaults');
});

test.each<[Choices, string]>([
  [{ 'rate.reset-unit': 'iso' }, 'epoch seconds'],
  [{ 'rate.reset-unit': 'seconds-left' }, 'epoch seconds'],
  [{ 'rate.burst': 'never' }, 'in a burst'],
  [{ 'null.optional': 'absent' }, '`null` when never given.'],
  [{ 'null.optional': 'empty' }, '`null` when never given.'],
  [{ 'invoice.line-total': 'excluded' }, 'tax included'],
])('under %o the document does not contain %j', (choices, words) => {
  const { components } = servedDocument(resolveProfile(choices));
  const { Deposit: _ofItsOwn, ...schemas } = components?.schemas ?? {};
  expect(JSON.stringify([schemas, components?.headers])).not.toContain(words);
  expect(JSON.stringify(servedDocument(resolveProfile({})).components)).toContain(words);
});

test('every gap has a place in the document', () => {
  const document = servedDocument(resolveProfile({}));
  expect(Object.keys(gaps).filter((id) => placesOf(document, id).length === 0)).toEqual([]);
});
