import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import { gapCases } from './cases/index.js';
import { namedChoicesOf } from './named-choices.js';
import { closeServers } from './test-account.js';

afterAll(closeServers);

describe.each(Object.entries(gapCases))('the gap %s', (id, { probe, choiceValues, expected }) => {
  test.each(Object.entries(expected))('with the choice %s has the expected result', async (choice, expectedResult) => {
    const value = choiceValues?.[choice];
    const result = await probe({ [id]: value === undefined ? choice : { [choice]: value } });
    expect(result).toStrictEqual(expectedResult);
  });

  test('has a distinct result for each choice', () => {
    const distinctResults = new Set(Object.values(expected).map((result) => inspect(result, { depth: null })));
    expect(distinctResults.size).toBe(Object.keys(expected).length);
  });
});

test('every choice is tested', () => {
  const registered = namedChoicesOf(gapRegistry).map(({ gapId, name }) => `${gapId}: ${name}`);
  const tested = Object.entries(gapCases).flatMap(([id, { expected }]) =>
    Object.keys(expected).map((name) => `${id}: ${name}`),
  );
  expect(tested.sort()).toEqual(registered.sort());
});
