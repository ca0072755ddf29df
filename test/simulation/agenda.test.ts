import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Agenda } from '../../src/simulation/agenda/agenda.js';

/** The agenda of an account lists what will happen to its records without a request, such as a deposit's expiry. */

test('an agenda yields its items by time; items that are due at the same time and compare as equal are in the order planned', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { maxLength: 200 }), fc.nat(20), (times, removedCount) => {
      const agenda = new Agenda(() => 0);
      times.forEach((at, id) => {
        agenda.plan({ at, kind: 'deposit-expires', id });
      });
      const inOrder = times.map((at, id) => ({ at, id })).sort((a, b) => a.at - b.at || a.id - b.id);
      for (const { at, id } of inOrder.splice(0, removedCount)) expect(agenda.takeNext()).toMatchObject({ at, id });
      expect([...agenda.items()].map(({ at, id }) => ({ at, id }))).toEqual(inOrder);
      const [first] = agenda.items();
      expect(first?.id).toBe(inOrder[0]?.id);
    }),
  );
});

test('items due at the same time are sorted; once the first of them has run, new ones are added at the end', () => {
  const agenda = new Agenda((a, b) => Number(a.id) - Number(b.id));
  const plan = (id: number): void => agenda.plan({ at: 1, kind: 'deposit-expires', id });
  const ids = (): unknown[] => [...agenda.items()].map(({ id }) => id);
  for (const id of [5, 3, 7]) plan(id);
  expect(ids()).toEqual([3, 5, 7]);
  plan(4);
  expect(ids()).toEqual([3, 4, 5, 7]);
  expect(agenda.takeNext()?.id).toBe(3);
  for (const id of [2, 1]) plan(id);
  expect(ids()).toEqual([4, 5, 7, 2, 1]);
  for (const id of [4, 5, 7, 2, 1]) expect(agenda.takeNext()?.id).toBe(id);
  expect(agenda.takeNext()).toBeUndefined();
});
