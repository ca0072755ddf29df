import { Blocked, Skip } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type Setup, setup } from '../../engine/session.js';
import { isSameId } from '../../predicates/matchers.js';
import { statusAfter } from '../deposit-lifecycle/setups.js';
import {
  type Deposit,
  type DepositsPage,
  depositsIn,
  filteredDeposits,
  getDeposits,
  mayInclude,
  newDeposit,
  type ObservedStatus,
} from '../deposits/setups.js';

/** The deposits of a booking, and the one that was found to have a status before they were read. */
interface DepositsOfBooking extends DepositsPage {
  readonly deposit: Deposit;
  readonly status: unknown;
}

/**
 * Creates a setup that finds the deposits of a booking by its reference, after the status of one of them was read. Reads
 * them until that deposit is found with this status or without any, or the timeout has passed.
 */
export function depositsOfBookingAfter(observed: Setup<ObservedStatus>): Setup<DepositsOfBooking> {
  return setup(`the deposits of the booking after ${observed.name}`, async (context) => {
    const { deposit, status } = await context.use(observed);
    const page = await eventually(
      context,
      () => filteredDeposits(context, { booking_reference: deposit.reference }),
      (found) => mayInclude(found, deposit) && (shownStatus(found, deposit.id) ?? status) === status,
    );
    return { ...page, deposit, status };
  });
}

export const releasedDepositsOfBooking = depositsOfBookingAfter(statusAfter.released);

/**
 * @param found the deposits of a booking, read until the list shows one or the timeout has passed
 * @throws Blocked if there are none
 */
export function requireListed({ page, records }: DepositsPage): void {
  if (records.length === 0) throw new Blocked('the list does not contain the deposit of the booking', page);
}

/** Deposits that are found by the booking reference of the new deposit. Waits until the new deposit is among them. */
export const depositsOfBooking = setup('deposits of a booking', async (context) => {
  const deposit = await context.use(newDeposit);
  return eventually(
    context,
    () => filteredDeposits(context, { booking_reference: deposit.reference }),
    (page) => mayInclude(page, deposit),
  );
});

/** The first page of deposits, without a filter. */
export const unfilteredDeposits = setup('deposits without a filter', async (context) =>
  depositsIn(await getDeposits(context, {})),
);

/** Makes sure that the list has a deposit, which a filter can leave out. @throws Skip if it has none */
export const someDeposits = setup('some deposits', async (context) => {
  for (const deposits of [depositsOfBooking, unfilteredDeposits])
    if ((await ifPossible(context.use(deposits)))?.records.length) return;
  throw new Skip({ missing: 'a deposit', reason: 'none is listed' });
});

/** The status that a list shows for a deposit; undefined if it does not show the deposit, or not its status. */
export function shownStatus({ records }: DepositsPage, id: Deposit['id']): unknown {
  return records.find((record) => isSameId(record['id'], id))?.['status'];
}
