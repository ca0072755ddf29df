import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  authorizeDeposit,
  createDeposit,
  listDeposits,
  readDepositFields,
} from '../../src/simulation/operations/deposits.js';
import { createPaymentLink } from '../../src/simulation/operations/payment-links.js';
import type { PageQuery } from '../../src/simulation/state/table.js';
import { emptyWorld, newDeposit, openAccount } from './world.js';

type Id = number | string;

/** A list to read in pages. */
interface PagedList {
  /** Adds a row to the list. @returns its id */
  addRow(): Id;
  page(page: PageQuery): readonly { readonly id: Id }[];
}

/** Functions that create an empty list. */
const lists: Readonly<Record<string, () => Promise<PagedList>>> = {
  async 'payment links'() {
    const world = await emptyWorld();
    const account = openAccount(world, 'demo');
    return {
      addRow: () => createPaymentLink(account, { description: 'Night', amount: 1, currency: 'EUR' }, world.accounts).id,
      page: (page) => account.paymentLinks.page(page).rows,
    };
  },
  async 'the deposits of a booking'() {
    const account = openAccount(await emptyWorld(), 'demo');
    const addDeposit = (booking_reference: string) =>
      createDeposit(account, readDepositFields(account, { booking_reference, amount: 1, currency: 'EUR' }));
    return {
      addRow() {
        const { id } = addDeposit('BK-1');
        // Not in the list.
        addDeposit('BK-2');
        return id;
      },
      page: (page) => listDeposits(account, page, { booking_reference: 'BK-1' }).rows,
    };
  },
};

const rowCounts = fc.integer({ min: 0, max: 40 });

describe.each(Object.entries(lists))('reading all pages of %s', (_name, openList) => {
  it.each([
    ['newest first', true],
    ['oldest first', false],
  ])(
    'returns in order the rows that exist at the start, even if rows are added in the meantime: %s',
    async (_order, newestFirst) => {
      const sizes = fc.integer({ min: 1, max: 7 });
      /** Numbers of rows that are added after each page. */
      const additions = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(rowCounts, sizes, additions, async (count, size, addedCounts) => {
          const list = await openList();
          const ids = Array.from({ length: count }, () => list.addRow());
          const visited: Id[] = [];
          for (let page = 1; ; page++) {
            const rows = list.page({ page, size, newestFirst });
            if (rows.length === 0) break;
            visited.push(...rows.map(({ id }) => id));
            for (let added = 0; added < (addedCounts[page - 1] ?? 0); added++) list.addRow();
          }
          // When the newest rows come first, a page repeats rows of the previous page if rows were added in between.
          const visitedOnce = [...new Set(visited)];
          expect(visitedOnce.filter((id) => ids.includes(id))).toEqual(newestFirst ? ids.toReversed() : ids);
        }),
      );
    },
  );

  it('returns every row once, if no rows are added', async () => {
    await fc.assert(
      fc.asyncProperty(rowCounts, fc.integer({ min: 1, max: 50 }), async (count, size) => {
        const list = await openList();
        const ids = Array.from({ length: count }, () => list.addRow());
        // The last page is empty.
        const pages = Array.from({ length: Math.ceil(count / size) + 1 }, (_, index) =>
          list.page({ page: index + 1, size, newestFirst: true }),
        );
        expect(pages.flat().map(({ id }) => id)).toEqual(ids.toReversed());
      }),
    );
  });
});

it('the deposits of a booking are those of the whole list, in its order, whatever happened to them', async () => {
  const anyDeposits = fc.array(fc.record({ booking: fc.constantFrom('BK-1', 'BK-2'), isAuthorized: fc.boolean() }));
  await fc.assert(
    fc.asyncProperty(anyDeposits, fc.boolean(), async (deposits, newestFirst) => {
      const account = openAccount(await emptyWorld(), 'demo');
      for (const { booking } of deposits) createDeposit(account, { ...newDeposit, booking_reference: booking });
      for (const [index, { isAuthorized }] of [...deposits.entries()].reverse())
        if (isAuthorized) authorizeDeposit(account, index + 1);
      const all = { page: 1, size: 100, newestFirst };
      const { rows } = listDeposits(account, all, {});
      const ofBooking = rows.filter(({ booking_reference }) => booking_reference === 'BK-1');
      expect(listDeposits(account, all, { booking_reference: 'BK-1' })).toEqual({
        rows: ofBooking,
        total: ofBooking.length,
      });
      const authorized = ofBooking.filter(({ status }) => status === 'authorized');
      expect(listDeposits(account, all, { booking_reference: 'BK-1', status: 'authorized' })).toEqual({
        rows: authorized,
        total: authorized.length,
      });
    }),
  );
});
