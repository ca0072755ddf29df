import { expect, test } from 'vitest';
import { CannotRun } from '../../src/contract/engine/cannot-run.js';
import { selectClauses } from '../../src/contract/engine/select.js';
import { clauses } from '../../src/contract/sections/clauses.js';

const idsOf = (...only: string[]): string[] => selectClauses(only).map(({ id }) => id);

test('without a selection, all clauses are selected', () => {
  expect(selectClauses(undefined)).toEqual(clauses);
  expect(selectClauses([])).toEqual(clauses);
});

test('clauses are selected by id or by section, in upper or lower case', () => {
  expect(idsOf('INV-STATS-02')).toEqual(['INV-STATS-02']);
  expect(idsOf('inv-stats-02', 'INV-STATS-01')).toEqual(['INV-STATS-01', 'INV-STATS-02']);
  const statisticsIds = clauses.map(({ id }) => id).filter((id) => id.startsWith('INV-STATS-'));
  expect(idsOf('INV-STATS')).toEqual(statisticsIds);
  expect(idsOf('INV-STATS', 'INV-STATS-02')).toEqual(statisticsIds);
});

test.each(['INV-STATS-', 'inv-stats-', ' INV-STATS '])('"%s" selects the same clauses as INV-STATS', (section) => {
  expect(idsOf(section)).toEqual(idsOf('INV-STATS'));
});

test.each(['HOOK', 'HOOK-'])('%s selects the clauses of all sections of the group HOOK', (group) => {
  const groupIds = clauses.map(({ id }) => id).filter((id) => id.startsWith('HOOK-'));
  expect(new Set(groupIds.map((id) => id.split('-')[1])).size).toBeGreaterThan(1);
  expect(idsOf(group)).toEqual(groupIds);
});

const groups = 'INV, LINK, PAY, DEP, HOOK, AUTH, ENV, VERSION, RATE, GAP';

test.each([
  ['INV-STAT', 'did you mean INV-STATS?'],
  ['INV-STATS-0', 'did you mean INV-STATS-01?'],
  ['inv-stats-001', 'did you mean INV-STATS-01?'],
  ['HOKO-', 'did you mean HOOK?'],
  ['PAYLINK', 'did you mean PAY-LINK?'],
  ['everything', `did you mean one of ${groups}?`],
  ['-', `did you mean one of ${groups}?`],
])('the unknown clause %s is refused with the hint: %s', (unknown, hint) => {
  expect(() => idsOf('INV-STATS-01', unknown)).toThrow(
    new CannotRun(`unknown clause ${unknown}; ${hint}`, {
      cliHint: ' Run `billing-sim contract --list` to see them all.',
    }),
  );
});
