import { Form } from './form.js';
import type { JsonObject } from './json.js';
import { listed, ok } from './listing.js';
import { refusal } from './refusal.js';
import { day, extra, money } from './render.js';
import { invoiceDetailView, invoiceView, isOverdue, isUnpaid, lineTotal, overdueView, statusOf } from './views.js';
import { type Customer, type Handler, type Invoice, nextId, type World } from './world.js';

type Draft = Pick<Invoice, 'customer' | 'date' | 'dueDate' | 'items'> & Partial<Invoice>;

export function storeInvoice(world: World, draft: Draft): Invoice {
  const { invoices, choices } = world;
  const id = nextId(invoices);
  const invoice: Invoice = {
    id,
    number: `${choices.numberPrefix}${String(id).padStart(5, '0')}`,
    reference: undefined,
    notes: undefined,
    amount: draft.items.reduce((sum, item) => sum + lineTotal(item, choices.invoiceAmount), 0),
    transactions: [],
    subscription: null,
    status: 'pending',
    paymentInitiated: false,
    ...draft,
  };
  invoices.set(id, invoice);
  return invoice;
}

export function payInvoice(invoice: Invoice, amount: number, at: number): void {
  const before = invoice.transactions.reduce((sum, transaction) => sum + transaction.amount, 0);
  invoice.transactions.push({ id: invoice.id * 10 + invoice.transactions.length, amount, at });
  invoice.status = before + amount >= invoice.amount ? 'paid' : 'partial';
}

function outstandingOf({ choices, fault }: World, invoice: Invoice): number {
  const isCountedWhole = fault === 'stats-outstanding-with-paid' && invoice.status === 'paid';
  if (choices.outstanding === 'whole' || isCountedWhole) return invoice.amount;
  return invoice.transactions.reduce((rest, { amount }) => rest - amount, invoice.amount);
}

const sumOf = (world: World, invoices: readonly Invoice[]): JsonObject[string] =>
  money(
    world.choices,
    invoices.reduce((sum, invoice) => sum + outstandingOf(world, invoice), 0),
  );

export const listInvoices: Handler = (world, { query }) =>
  listed(world, 'invoice-list', query, [...world.invoices.values()], (invoice) => invoiceView(world, invoice));

export const readInvoice: Handler = (world, { id }) => {
  if (!/^\d+$/.test(id)) {
    const { textIdStatus } = world.choices;
    throw refusal(world.choices, textIdStatus, textIdStatus === 404 ? 'invoice' : 'invoiceId');
  }
  const invoice = world.invoices.get(Number(id));
  if (invoice === undefined) throw refusal(world.choices, 404, 'invoice');
  return ok(world, invoiceDetailView(world, invoice));
};

export const readStats: Handler = (world) => {
  const all = [...world.invoices.values()];
  const unpaid = all.filter(isUnpaid);
  const overdue = all.filter((invoice) => isOverdue(world, invoice));
  const paid = all.filter(({ status }) => status === 'paid');
  const pending =
    world.choices.pendingCount === 'unpaid' ? unpaid : all.filter((invoice) => statusOf(world, invoice) === 'pending');
  return ok(world, {
    total_invoices: world.fault === 'stats-total-open-only' ? unpaid.length : all.length,
    pending_invoices: pending.length,
    paid_invoices: world.fault === 'stats-paid-stuck' ? 0 : paid.length,
    overdue_invoices: world.fault === 'stats-overdue-stuck' ? 0 : overdue.length,
    total_outstanding: sumOf(world, world.fault === 'stats-outstanding-with-paid' ? [...unpaid, ...paid] : unpaid),
    total_overdue: sumOf(world, world.fault === 'stats-overdue-sums-unpaid' ? unpaid : overdue),
    currency: world.choices.currency,
    ...extra(world.choices, { generated_by: 'nachtlauf' }),
  });
};

export const listOverdue: Handler = (world) => {
  const all = [...world.invoices.values()];
  const unpaid = all.filter(isUnpaid);
  const today = day(world.choices, Date.now());
  const overdue = all.filter((invoice) => {
    if (world.fault === 'overdue-lists-future') return isUnpaid(invoice);
    if (world.fault === 'overdue-lists-paid') return invoice.dueDate < today;
    return isOverdue(world, invoice);
  });
  const answer = ok(
    world,
    overdue.map((invoice) => overdueView(world, invoice)),
  );
  Object.assign(answer.body, {
    count: overdue.length,
    total_outstanding: sumOf(world, world.choices.overdueTotal === 'unpaid' ? unpaid : overdue),
    currency: world.choices.currency,
  });
  return answer;
};

export const createInvoice: Handler = (world, { body }) => {
  const { choices, fault } = world;
  const form = new Form(world, 'invoice-create', body);
  const customerId = form.integer('customer_id');
  const number = form.optionalText('invoice_number');
  const reference = form.optionalText('reference');
  const date = form.date('date');
  const dueDate = form.date('due_date');
  const notes = form.optionalText('notes');
  const minimum = fault === 'quantity-below-minimum' ? 0.001 : fault === 'quantity-minimum-refused' ? 0.011 : 0.01;
  const items = form.list('items').map((item) => ({
    description: item.text('description'),
    quantity: item.number('quantity', minimum),
    unitPrice: item.number('unit_price'),
    taxRate: item.optionalNumber('tax_rate', 0) ?? (fault === 'tax-rate-default-19' ? 19 : 0),
  }));

  const customer = customerOf(world, customerId);
  if (customer === undefined) form.problem('customer_id', 'unknown');
  const isLate = fault === 'due-on-date-refused' ? dueDate > date : dueDate >= date;
  if (!isLate && fault !== 'due-before-date-accepted') form.problem('due_date', 'early');
  if (number !== undefined && choices.duplicateNumber === 'refused') {
    if ([...world.invoices.values()].some((invoice) => invoice.number === number)) {
      form.problem('invoice_number', 'taken');
    }
  }
  form.check();
  if (customer === undefined) throw refusal(choices, 500, 'internal');

  const invoice = storeInvoice(world, {
    customer,
    date,
    dueDate,
    items,
    reference: fault === 'reference-lost' ? undefined : reference,
    notes: fault === 'notes-lost' ? undefined : notes,
    ...(number === undefined || fault === 'number-ignored' ? {} : { number }),
  });
  if (fault === 'invoice-not-stored') world.invoices.delete(invoice.id);
  const answer = ok(world, invoiceView(world, invoice, invoice.status), 201);
  answer.body['message'] = 'Invoice created successfully';
  return answer;
};

function customerOf({ customers, fault, planted }: World, id: number): Customer | undefined {
  const anyone = fault === 'unknown-customer-accepted' || planted?.waives === 'invoice-create customer_id';
  return customers.get(id) ?? (anyone ? [...customers.values()][0] : undefined);
}

export const remind: Handler = (world, { id }) => {
  const { choices, fault } = world;
  const invoice = world.invoices.get(Number(id));
  if (invoice === undefined) throw refusal(choices, 404, 'invoice');
  if (invoice.status === 'paid' && fault !== 'reminder-of-paid-sent') throw refusal(choices, 400, 'paid');
  if (!isUnpaid(invoice) && invoice.status !== 'paid' && choices.draftReminder === 'refused') {
    throw refusal(choices, 400, 'draft');
  }
  return {
    status: choices.actedStatus,
    headers: {},
    body: {
      success: true,
      message: 'Invoice reminder sent successfully',
      ...extra(choices, { data: { recipient: invoice.customer.email } }),
    },
  };
};
