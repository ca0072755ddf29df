import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import { namedChoicesOf } from './named-choices.js';

const gaps = Object.entries(gapRegistry).map(([id, gap]) => ({ id, ...gap }));
const document: unknown = parse(readFileSync(new URL('../../openapi/billing.yaml', import.meta.url), 'utf8'));

test('the generated registry equals openapi/gaps.yaml, in which a string is the description of a choice', () => {
  const written = parse(readFileSync(new URL('../../openapi/gaps.yaml', import.meta.url), 'utf8'));
  for (const { choices } of Object.values<{ choices: Record<string, unknown> }>(written)) {
    for (const [name, choice] of Object.entries(choices)) {
      if (typeof choice === 'string') choices[name] = { description: choice };
    }
  }
  expect(gapRegistry).toEqual(written);
});

test.each([...gapIdsIn(document)])('the document refers to a registered gap: %s', (id) => {
  expect(Object.keys(gapRegistry)).toContain(id);
});

describe.each(gaps)('the gap $id', ({ id, section, question, probe, choices, default: defaultChoice }) => {
  test('has an id of two parts', () => {
    expect(id).toMatch(/^[a-z]+\.[a-z0-9-]+$/);
  });

  test('names its section of the specification', () => {
    expect(section).toMatch(/^\S.*\S$/);
  });

  test('asks one question', () => {
    expect(question).toMatch(/^[A-Z][^?]+\?$/);
  });

  test('says how it is probed, or why it cannot be, in text that ends with a period', () => {
    expect(probe).toMatch(/^\S.*\.$/s);
  });

  test('has its default among its choices', () => {
    expect(Object.keys(choices)).toContain(defaultChoice);
  });

  test('has a default that takes no value', () => {
    expect(choices[defaultChoice]).not.toHaveProperty('takes');
  });
});

/** Shared by all choices, since a new instance is slow: it compiles the meta-schema. */
const ajv = new Ajv2020({ strict: true, strictTypes: false });
ajv.addVocabulary(['x-duration', 'x-expected']);

describe.each(namedChoicesOf(gapRegistry))('the choice $gapId: $name', ({ choice }) => {
  test('has a description', () => {
    expect(choice.description).toMatch(/\S/);
  });

  test('has only known fields', () => {
    const knownFields = ['description', 'takes', 'answer', 'document'];
    expect(Object.keys(choice).filter((field) => !knownFields.includes(field))).toEqual([]);
  });

  test('describes its value, if it takes one, with a strict schema', () => {
    expect(() => ajv.compile(choice.takes ?? {})).not.toThrow();
  });

  test('uses `$value` in the document only if it takes a value', () => {
    const usesValue = JSON.stringify(choice.document ?? []).includes('$value');
    expect(usesValue && choice.takes === undefined).toBe(false);
  });
});

/** Collects the gap ids under every `x-gap`, at any depth. */
function gapIdsIn(value: unknown): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  const ids = Object.entries(value).flatMap(([key, part]) =>
    key === 'x-gap' && Array.isArray(part) ? part.map(String) : [...gapIdsIn(part)],
  );
  return new Set(ids);
}
