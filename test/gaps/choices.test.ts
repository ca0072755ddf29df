import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import { gapCases } from './cases/index.js';
import { choicesOf } from './choices-of.js';
import { closeLab } from './lab.js';

afterAll(closeLab);

describe.each(Object.entries(gapCases))('%s', (id, { probe, values, seen }) => {
  test.each(Object.entries(seen))('%s', async (choice, expected) => {
    const value = values?.[choice];
    const saw = await probe({ [id]: value === undefined ? choice : { [choice]: value } });
    expect(saw).toStrictEqual(expected);
  });

  test('its choices can be distinguished', () => {
    const reported = new Set(Object.values(seen).map((expected) => inspect(expected, { depth: null })));
    expect(reported.size).toBe(Object.keys(seen).length);
  });
});

test('every choice is tested', () => {
  const all = choicesOf(gapRegistry).map(({ id, name }) => `${id}: ${name}`);
  const looked = Object.entries(gapCases).flatMap(([id, { seen }]) =>
    Object.keys(seen).map((name) => `${id}: ${name}`),
  );
  expect(looked.sort()).toEqual(all.sort());
});
