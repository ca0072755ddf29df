import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import { gapCases } from './cases/index.js';
import { choicesOf } from './choices-of.js';
import { closeServers } from './lab.js';

afterAll(closeServers);

describe.each(Object.entries(gapCases))('%s', (id, { probe, values, expected }) => {
  test.each(Object.entries(expected))('%s', async (choice, expected) => {
    const value = values?.[choice];
    const result = await probe({ [id]: value === undefined ? choice : { [choice]: value } });
    expect(result).toStrictEqual(expected);
  });

  test('its choices can be distinguished', () => {
    const reported = new Set(Object.values(expected).map((expected) => inspect(expected, { depth: null })));
    expect(reported.size).toBe(Object.keys(expected).length);
  });
});

test('every choice is tested', () => {
  const all = choicesOf(gapRegistry).map(({ id, name }) => `${id}: ${name}`);
  const casesWithExpectation = Object.entries(gapCases).flatMap(([id, { expected }]) =>
    Object.keys(expected).map((name) => `${id}: ${name}`),
  );
  expect(casesWithExpectation.sort()).toEqual(all.sort());
});
