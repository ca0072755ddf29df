import { changeStatus, isHeld, storeDeposit } from './deposits.js';
import { payInvoice, storeInvoice } from './invoices.js';
import { storeLink } from './links.js';
import { storePayment } from './payments.js';
import { dateOf, daysAgo } from './render.js';
import { type Customer, type Deposit, type DepositRequest, depositStatuses, nextId, type World } from './world.js';

export function storeCustomer(world: World): Customer {
  const id = nextId(world.customers);
  const customer: Customer = {
    id,
    name: `Customer ${id}`,
    email: `customer${id}@example.com`,
    phone: `+49 30 ${1000 + id}`,
    country: 'DE',
    // Every second customer is a private person, with fewer fields.
    ...(id % 2 === 0
      ? {}
      : { company: `Company ${id} Ltd`, address: `${id} High Street`, city: 'Berlin', postal_code: '10115' }),
  };
  world.customers.set(id, customer);
  return customer;
}

// The functions below vary the records by their index, so that lists contain records of many kinds.

function seedInvoice(world: World, customer: Customer, index: number): void {
  const { choices } = world;
  const isLate = index % 3 === 0;
  const invoice = storeInvoice(world, {
    customer,
    date: dateOf(choices, daysAgo(40 + index)),
    dueDate: dateOf(choices, daysAgo(isLate ? 1 + index : -30)),
    items: [
      {
        description: `Night ${index}`,
        quantity: 1 + (index % 4),
        unitPrice: (1_999 + 100 * index) / 100,
        taxRate: index % 2 ? 19 : 0,
      },
      { description: 'Cleaning', quantity: 0.5, unitPrice: 35, taxRate: 7 },
    ],
    ...(index % 2 === 0 ? { reference: `REF-${index}`, notes: `Note ${index}` } : {}),
    subscription: index % 10 === 4 ? { id: index, name: 'Monthly' } : null,
    paymentInitiated: index % 6 === 0,
  });
  const partialAmountCents = 1000;
  if (index % 5 === 1) payInvoice(invoice, invoice.amount, daysAgo(2));
  else if (index % 5 === 2) payInvoice(invoice, partialAmountCents, daysAgo(3));
  else if (index % 5 === 3) invoice.status = (['draft', 'cancelled', 'sent', 'viewed'] as const)[index % 4] ?? 'sent';
}

function seedPayment(world: World, customer: Customer, index: number): void {
  const link = storeLink(world, {
    description: `Booking SEED-${index}`,
    amount: 4550 + index,
    createdAt: daysAgo(20 + (index % 30)),
    isActive: index % 7 !== 3,
  });
  const createdAt = daysAgo(index % 20);
  const status = (['paid', 'paid', 'open', 'pending', 'failed'] as const)[index % 5] ?? 'paid';
  const paidAt = status === 'paid' ? createdAt : undefined;
  const { description, amount, currency } = link;
  storePayment(world, { description, amount, currency, customer, link, createdAt, status, paidAt });
}

const depositRequest = (index: number): DepositRequest => ({
  bookingReference: `SEED-${index}`,
  amount: 30_000,
  currency: 'EUR',
  customer: { name: 'Guest', email: 'guest@example.com' },
  checkInDate: undefined,
  checkOutDate: undefined,
  metadata: undefined,
});

function seedDeposit(world: World, index: number, status: Deposit['status']): void {
  const deposit = storeDeposit(world, depositRequest(index));
  if (status === 'pending') return;
  if (status === 'captured') deposit.captured = deposit.amount;
  if (status === 'partially_captured') deposit.captured = 10_000;
  changeStatus(world, deposit, status, `deposit.${status}`);
}

/** Fills an account: 3 customers, 120 each of invoices, links and payments, and a deposit for each status. */
export function seed(world: World): void {
  const customers = [1, 2, 3].map(() => storeCustomer(world));
  for (let index = 0; index < 120; index += 1) {
    const customer = customers[index % customers.length];
    if (customer === undefined) continue;
    seedInvoice(world, customer, index);
    seedPayment(world, customer, index);
  }
  for (const [index, status] of depositStatuses.entries()) seedDeposit(world, index, status);
}

/** Returns a function that acts like another client of the account: each call creates or changes a record. */
export function createOtherClient(world: World): () => void {
  const customer = storeCustomer(world);
  const deposits: Deposit[] = [];
  const actions: ((index: number) => void)[] = [
    (index) => seedInvoice(world, customer, index),
    (index) => seedPayment(world, customer, index),
    (index) => deposits.push(storeDeposit(world, depositRequest(index))),
    () => {
      const deposit = deposits.pop();
      if (deposit !== undefined && !isHeld(deposit)) changeStatus(world, deposit, 'authorized', 'deposit.authorized');
    },
  ];
  let actionCount = 0;
  return () => {
    actions[actionCount % actions.length]?.(actionCount);
    actionCount += 1;
  };
}
