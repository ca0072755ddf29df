import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Agenda } from '../../src/simulation/agenda/schedule.js';

/** The agenda of an account lists what will happen to its records without a request, such as a deposit's expiry. */

test('an agenda yields its items by time, and items of the same time in the order in which they were planned', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { maxLength: 200 }), fc.nat(20), (times, removedCount) => {
      const agenda = new Agenda();
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
