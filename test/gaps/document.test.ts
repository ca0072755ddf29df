import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import type { GapRegistry } from '../../src/domain/gaps.js';
import { readChoices } from '../../src/files/seed-file.js';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import { apiOf, servedDocument } from '../../src/http/document/profiles.js';
import type { Choices } from '../../src/index.js';
import { documentValidator } from '../../src/openapi/document.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { compileSchema, schemasOf } from '../support/document-schemas.js';
import { todays } from '../support/todays.js';
import { gapCases } from './cases/index.js';
import { choicesOf, type NamedChoice } from './choices-of.js';

/**
 * The document of every profile agrees with itself. That the answers agree with it, statuses and headers too, is seen
 * where they are asked for: the lab holds each answer against the document of its choices.
 */

vi.setConfig({ testTimeout: 60_000 });

const gaps: GapRegistry = gapRegistry;
/** Every choice that is not its gap's default. */
const all = choicesOf(gaps).filter(
  ({ id, name }) => !Object.entries(gaps).some(([gap, one]) => gap === id && one.default === name),
);

/** The choice as a profile writes it, with the value that the case of its gap gives it. */
function written({ id, name, choice }: NamedChoice): Choices {
  if (choice.takes === undefined) return { [id]: name };
  const value = Object.entries(gapCases).find(([gap]) => gap === id)?.[1].values?.[name];
  if (value === undefined) throw new Error(`the case of ${id} has no value for ${name}`);
  return { [id]: { [name]: value } };
}

/** Examples that their schemas refuse, by place. */
function wrongExamples(choices: Choices): string[] {
  const document = servedDocument(resolveProfile(choices));
  const ajv = documentValidator(document);
  return schemasOf(document).flatMap(({ place, schema, examples }) => {
    if (examples.length === 0) return [];
    const validate = compileSchema(ajv, schema);
    return examples.flatMap((example) =>
      validate(structuredClone(example))
        ? []
        : [`${place}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(example)}`],
    );
  });
}

describe('every example fits its schema', () => {
  test.each(all)('under $id: $name', (choice) => {
    expect(wrongExamples(written(choice))).toEqual([]);
  });

  const folder = new URL('../../fixtures/profiles/', import.meta.url);
  test.each(readdirSync(folder))('under the shipped profile %s', async (file) => {
    expect(wrongExamples(await readChoices(fileURLToPath(new URL(file, folder))))).toEqual([]);
  });

  // A run takes some pairs, others each day: all of them take long.
  test('under two choices at a time', () => {
    const pairs = all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));
    const lawful = pairs.filter(([one, other]) => one.id !== other.id);
    const wrong = todays(lawful, 200).flatMap(([one, other]) => {
      const choices = { ...written(one), ...written(other) };
      return wrongExamples(choices).map((example) => `${JSON.stringify(choices)}: ${example}`);
    });
    expect(wrong).toEqual([]);
  });

  test('under the tightest bounds that a profile can set', () => {
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

describe('what may be sent and what is answered has an example', () => {
  test.each(all)('under $id: $name', (choice) => {
    const content = schemasOf(servedDocument(resolveProfile(written(choice)))).filter(({ place }) =>
      /^(responses|requestBodies) /.test(place),
    );
    expect(content.filter(({ examples }) => examples.length === 0).map(({ place }) => place)).toEqual([]);
  });
});

describe('what is chosen is said in words, at the top and wherever it matters', () => {
  test.each(all)('under $id: $name', (choice) => {
    const { question } = Object.entries(gaps).find(([id]) => id === choice.id)?.[1] ?? {};
    const answered = `${question} ${choice.choice.says.replace(/\.$/, '')}`;
    const document = servedDocument(resolveProfile(written(choice)));
    expect(document.info.description).toContain(`\`${choice.id}\`: ${answered}`);
    const places = placesOf(document, choice.id);
    expect(places.filter((description) => !description.includes(answered))).toEqual([]);
  });

  test('and nothing is said of defaults', () => {
    expect(JSON.stringify(servedDocument(resolveProfile({})))).not.toContain('not the defaults');
  });
});

/** The descriptions of the places that rest on a gap. */
function placesOf(part: unknown, id: string): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const own: unknown = Reflect.get(part, 'x-gap');
  const inner = Object.values(part).flatMap((one) => placesOf(one, id));
  return Array.isArray(own) && own.includes(id) ? [String(Reflect.get(part, 'description')), ...inner] : inner;
}

test.each<[Choices, string]>([
  [{ 'rate.reset-unit': 'iso' }, 'epoch seconds'],
  [{ 'rate.reset-unit': 'seconds-left' }, 'epoch seconds'],
  [{ 'rate.burst': 'never' }, 'for a burst'],
  [{ 'null.optional': 'absent' }, '`null` when never given.'],
  [{ 'null.optional': 'empty' }, '`null` when never given.'],
  [{ 'invoice.line-total': 'excluded' }, 'tax included'],
])('under %o nothing says %j', (choices, words) => {
  const { components } = servedDocument(resolveProfile(choices));
  const { Deposit: _ofItsOwn, ...schemas } = components?.schemas ?? {};
  expect(JSON.stringify([schemas, components?.headers])).not.toContain(words);
  expect(JSON.stringify(servedDocument(resolveProfile({})).components)).toContain(words);
});

test('every gap has a place in the document', () => {
  const document = servedDocument(resolveProfile({}));
  expect(Object.keys(gaps).filter((id) => placesOf(document, id).length === 0)).toEqual([]);
});

describe('the examples of requests are accepted', () => {
  test.each(all)('under $id: $name', (choice) => {
    const profile = resolveProfile(written(choice));
    const { components = {}, paths } = servedDocument(profile);
    for (const { path, method, validateBody, takesBody } of apiOf(profile).operations) {
      const body = paths?.[path]?.[method]?.requestBody;
      if (!takesBody || !body || !('$ref' in body)) continue;
      const described = components.requestBodies?.[body.$ref.slice('#/components/requestBodies/'.length)];
      const examples = described && 'content' in described ? described.content['application/json']?.examples : {};
      const values = Object.values(examples ?? {}).flatMap((example) => ('value' in example ? [example.value] : []));
      expect(values).not.toEqual([]);
      for (const value of values) expect(validateBody(structuredClone(value)), JSON.stringify(value)).toBe(true);
    }
  });
});
