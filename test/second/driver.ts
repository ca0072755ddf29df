import { isHeld, moveDeposit } from './deposits.js';
import { payInvoice } from './invoices.js';
import { storePayment } from './payments.js';
import { storeCustomer } from './seed.js';
import { wideId } from './wide-ids.js';
import type { Customer, Deposit, World } from './world.js';

/** A record as the service itself gave it out. */
interface Given {
  readonly id?: unknown;
}

/** Actions of owners, guests, cards and clocks, which the API has no operation for. All reject unknown records. */
export interface Driver {
  createCustomer(): Promise<{ id: number | bigint }>;
  markInvoicePaid(invoice: Given): Promise<void>;
  payLink(link: Given): Promise<void>;
  authorizeDeposit(deposit: Given): Promise<void>;
  declineDeposit(deposit: Given): Promise<void>;
  expireDeposit(deposit: Given): Promise<void>;
}

function pick<T>({ choices }: World, records: ReadonlyMap<unknown, T>, { id }: Given): T {
  // A fault may have given the number out as a text, which is no reason for more to go wrong.
  const found = [...records].find(
    ([known]) => String(typeof known === 'number' ? wideId(choices, known) : known) === String(id),
  );
  if (found === undefined) throw new Error(`no record has the id ${String(id)}`);
  return found[1];
}

function demand(holds: boolean, { id, status }: Deposit): void {
  if (!holds) throw new Error(`deposit ${id} is ${status}`);
}

export function createDriver(world: World): Driver {
  const { choices } = world;
  const someone = (): Customer => [...world.customers.values()][0] ?? storeCustomer(world);
  return {
    createCustomer: async () => ({ id: wideId(choices, storeCustomer(world).id) }),

    markInvoicePaid: async (given) => {
      const invoice = pick(world, world.invoices, given);
      const paid = invoice.transactions.reduce((sum, { amount }) => sum + amount, 0);
      payInvoice(invoice, invoice.amount - paid, Date.now());
      if (!choices.invoicePayments) return;
      const { number, amount, customer } = invoice;
      storePayment(world, { description: number, amount: amount - paid, currency: choices.currency, customer });
    },

    payLink: async (given) => {
      const link = pick(world, world.links, given);
      const { slug, amount, currency } = link;
      const description = world.fault === 'payment-description-slug' ? slug : link.description;
      storePayment(world, { description, amount, currency, customer: someone(), link });
    },

    authorizeDeposit: async (given) => {
      const deposit = pick(world, world.deposits, given);
      demand(deposit.status === 'pending', deposit);
      moveDeposit(world, deposit, 'authorized', 'deposit.authorized');
    },

    declineDeposit: async (given) => {
      const deposit = pick(world, world.deposits, given);
      demand(deposit.status === 'pending', deposit);
      if (choices.declined === 'failed') moveDeposit(world, deposit, 'failed', 'deposit.failed');
    },

    expireDeposit: async (given) => {
      const deposit = pick(world, world.deposits, given);
      demand(deposit.status === 'pending' || isHeld(deposit), deposit);
      moveDeposit(world, deposit, 'expired', 'deposit.expired');
    },
  };
}
