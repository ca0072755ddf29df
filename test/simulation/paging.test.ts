import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chosenFields, createDeposit, listDeposits } from '../../src/simulation/operations/deposits.js';
import { createPaymentLink, listPaymentLinks } from '../../src/simulation/operations/payment-links.js';
import type { Page } from '../../src/simulation/state/table.js';
import { emptyWorld, openAccount } from './world.js';

/** A list to page through. */
interface List {
  add(): void;
  page(page: Page): readonly { readonly id: number | string }[];
}

const lists: Readonly<Record<string, () => Promise<List>>> = {
  async 'payment links'() {
    const world = await emptyWorld();
    const account = openAccount(world, 'demo');
    return {
      add: () => createPaymentLink(account, { description: 'Night', amount: 1, currency: 'EUR' }, world.accounts),
      page: (page) => listPaymentLinks(account, page).rows,
    };
  },
  async 'the deposits of a booking'() {
    const account = openAccount(await emptyWorld(), 'demo');
    let createdCount = 0;
    return {
      add() {
        createdCount += 1;
        const booking_reference = createdCount % 3 === 0 ? 'another' : 'BK-1';
        createDeposit(account, chosenFields(account, { booking_reference, amount: 1, currency: 'EUR' }));
      },
      page: (page) => listDeposits(account, page, { booking_reference: 'BK-1' }).rows,
    };
  },
};

describe.each(Object.entries(lists))('reading all pages of %s', (_name, openList) => {
  it.each([
    ['newest first', true],
    ['oldest first', false],
  ])(
    'returns the rows that exist at the beginning in order, even if rows are added in the meantime: %s',
    async (_order, newestFirst) => {
      const size = fc.integer({ min: 1, max: 7 });
      const additions = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 40 }), size, additions, async (count, pageSize, addedCounts) => {
          const list = await openList();
          for (let row = 0; row < count; row++) list.add();
          const existing = list.page({ page: 1, size: 1000, newestFirst }).map(({ id }) => id);

          const visited: (number | string)[] = [];
          for (let page = 1; ; page++) {
            const rows = list.page({ page, size: pageSize, newestFirst });
            if (rows.length === 0) break;
            visited.push(...rows.map(({ id }) => id));
            for (let row = 0; row < (addedCounts[page - 1] ?? 0); row++) list.add();
          }

          const known = new Set(existing);
          expect([...new Set(visited)].filter((id) => known.has(id))).toEqual(existing);
        }),
      );
    },
  );

  it('returns every row once, if no rows are added', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 50 }), async (count, size) => {
        const list = await openList();
        for (let row = 0; row < count; row++) list.add();
        const allRows = list.page({ page: 1, size: 1000, newestFirst: true });
        const pages = Array.from({ length: Math.ceil(count / size) + 1 }, (_, index) =>
          list.page({ page: index + 1, size, newestFirst: true }),
        );
        expect(pages.flat()).toEqual(allRows);
      }),
    );
  });
});
