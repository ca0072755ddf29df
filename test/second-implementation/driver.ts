import { toBigId } from './big-ids.js';
import { changeStatus } from './deposits.js';
import { payInvoice } from './invoices.js';
import { storePayment } from './payments.js';
import { storeCustomer } from './seed.js';
import type { Customer, Deposit, World } from './world.js';

/** A record as the API returned it. */
interface ApiRecord {
  readonly id?: unknown;
}

/**
 * Actions for which the API has no operation, such as those of guests. An action on a record rejects if no such record
 * exists, or if the status of the deposit does not allow the action.
 */
export interface Driver {
  createCustomer(): Promise<{ id: number | bigint }>;
  markInvoicePaid(invoice: ApiRecord): Promise<void>;
  payLink(link: ApiRecord): Promise<void>;
  authorizeDeposit(deposit: ApiRecord): Promise<void>;
  declineDeposit(deposit: ApiRecord): Promise<void>;
  expireDeposit(deposit: ApiRecord): Promise<void>;
}

/** Returns the stored record that a record from the API represents. Throws if there is none. */
function recordFor<T>({ choices }: World, records: ReadonlyMap<unknown, T>, { id }: ApiRecord): T {
  // Identifiers are compared as strings, since the API may have returned a number as a string because of a fault.
  const found = [...records].find(
    ([known]) => String(typeof known === 'number' ? toBigId(choices, known) : known) === String(id),
  );
  if (found === undefined) throw new Error(`no record has the id ${String(id)}`);
  return found[1];
}

/** Throws if the current status of a deposit is not one of those that an action allows. */
function requireStatus({ id, status }: Deposit, ...allowedStatuses: Deposit['status'][]): void {
  if (!allowedStatuses.includes(status)) throw new Error(`deposit ${id} is ${status}`);
}

export function createDriver(world: World): Driver {
  const { choices } = world;
  const payer = (): Customer => [...world.customers.values()][0] ?? storeCustomer(world);
  return {
    createCustomer: async () => ({ id: toBigId(choices, storeCustomer(world).id) }),

    markInvoicePaid: async (record) => {
      const invoice = recordFor(world, world.invoices, record);
      const paidAmount = invoice.transactions.reduce((sum, { amount }) => sum + amount, 0);
      payInvoice(invoice, invoice.amount - paidAmount, Date.now());
      if (!choices.invoicePayments) return;
      const { number, amount, customer } = invoice;
      storePayment(world, { description: number, amount: amount - paidAmount, currency: choices.currency, customer });
    },

    payLink: async (record) => {
      const link = recordFor(world, world.links, record);
      const { slug, amount, currency } = link;
      const description = world.fault === 'payment-description-slug' ? slug : link.description;
      const isPaidTwice = [...world.payments.values()].some((payment) => payment.link === link);
      const factor = world.fault === 'second-payment-of-link-doubled' && isPaidTwice ? 2 : 1;
      storePayment(world, { description, amount: factor * amount, currency, customer: payer(), link });
    },

    authorizeDeposit: async (record) => {
      const deposit = recordFor(world, world.deposits, record);
      requireStatus(deposit, 'pending');
      const isSecondOfBooking = [...world.deposits.values()].some(
        ({ bookingReference, status }) => bookingReference === deposit.bookingReference && status === 'authorized',
      );
      const isSilent = world.fault === 'silent-second-authorization-of-booking' && isSecondOfBooking;
      changeStatus(isSilent ? { ...world, emit: () => undefined } : world, deposit, 'authorized', 'deposit.authorized');
    },

    declineDeposit: async (record) => {
      const deposit = recordFor(world, world.deposits, record);
      requireStatus(deposit, 'pending');
      if (choices.statusAfterDecline === 'failed') changeStatus(world, deposit, 'failed', 'deposit.failed');
    },

    expireDeposit: async (record) => {
      const deposit = recordFor(world, world.deposits, record);
      requireStatus(deposit, 'pending', 'authorized', 'partially_captured');
      changeStatus(world, deposit, 'expired', 'deposit.expired');
    },
  };
}
