import { BodyFields } from './body-fields.js';
import { ok, pageOf } from './listing.js';
import { dateOf, renderCents, undocumentedFields } from './render.js';
import { serviceError } from './service-error.js';
import { invoiceDetailView, invoiceView, isOverdue, isUnpaid, lineTotal, overdueView, statusOf } from './views.js';
import { type Customer, type Handler, type Invoice, type Item, nextId, rememberFirst, type World } from './world.js';

type NewInvoice = Pick<Invoice, 'customer' | 'date' | 'dueDate' | 'items'> & Partial<Invoice>;

export function storeInvoice(world: World, fields: NewInvoice): Invoice {
  const { invoices, choices } = world;
  const id = nextId(invoices);
  // Simulates a generator that counts on from the latest number, and reads NaN from a supplied one without the prefix.
  const isGeneratorStuck =
    world.fault === 'generated-number-constant' &&
    [...invoices.values()].some(({ number }) => !number.startsWith(choices.numberPrefix));
  const invoice: Invoice = {
    id,
    number: `${choices.numberPrefix}${isGeneratorStuck ? 'NaN' : String(id).padStart(5, '0')}`,
    reference: undefined,
    notes: undefined,
    amount: fields.items.reduce((sum, item) => sum + lineTotal(item, choices.invoiceAmount), 0),
    transactions: [],
    subscription: null,
    status: 'pending',
    paymentInitiated: false,
    ...fields,
  };
  invoices.set(id, invoice);
  return invoice;
}

/** Adds a payment to an invoice. @param amount in cents @param paidAt in milliseconds since 1970 */
export function payInvoice(invoice: Invoice, amount: number, paidAt: number): void {
  const paidBefore = invoice.transactions.reduce((sum, transaction) => sum + transaction.amount, 0);
  invoice.transactions.push({ id: invoice.id * 10 + invoice.transactions.length, amount, createdAt: paidAt });
  invoice.status = paidBefore + amount >= invoice.amount ? 'paid' : 'partial';
}

/** Returns the part of an invoice's amount that counts as outstanding, in cents. */
function outstandingOf({ choices, fault }: World, invoice: Invoice): number {
  const isCountedInFull = fault === 'stats-outstanding-includes-paid' && invoice.status === 'paid';
  if (choices.outstandingSums === 'full' || isCountedInFull) return invoice.amount;
  return invoice.transactions.reduce((remaining, { amount }) => remaining - amount, invoice.amount);
}

const outstandingSum = (world: World, invoices: readonly Invoice[]): number | string =>
  renderCents(
    world.choices,
    invoices.reduce((sum, invoice) => sum + outstandingOf(world, invoice), 0),
  );

export const listInvoices: Handler = (world, { query }) =>
  pageOf(world, 'invoice-list', query, [...world.invoices.values()], (invoice) => {
    const view = invoiceView(world, invoice);
    if (world.fault === 'list-status-stale')
      view['status'] = rememberFirst(world, `status ${invoice.id}`, statusOf(world, invoice));
    return view;
  });

export const readInvoice: Handler = (world, { id: requestedId }) => {
  const id = world.fault === 'detail-id-trailing-text-ignored' ? requestedId.replace(/\D+$/, '') : requestedId;
  if (!/^\d+$/.test(id)) {
    const { nonIntegerIdStatus } = world.choices;
    throw serviceError(
      world.choices,
      nonIntegerIdStatus,
      nonIntegerIdStatus === 404 ? 'invoiceNotFound' : 'invoiceIdNotInteger',
    );
  }
  const invoice = world.invoices.get(Number(id));
  if (invoice === undefined) throw serviceError(world.choices, 404, 'invoiceNotFound');
  const view = invoiceDetailView(world, invoice);
  if (world.fault === 'detail-customer-cached')
    return ok(world, { ...view, customer: rememberFirst(world, 'customer', view['customer'] ?? null) });
  if (world.fault !== 'detail-stale') return ok(world, view);
  return ok(world, { ...rememberFirst(world, `detail ${id}`, view) });
};

export const readStats: Handler = (world) => {
  const { choices, fault } = world;
  const invoices = [...world.invoices.values()];
  const unpaid = invoices.filter(isUnpaid);
  const overdue = invoices.filter((invoice) => isOverdue(world, invoice));
  const paid = invoices.filter(({ status }) => status === 'paid');
  const today = dateOf(choices, Date.now());
  const paidPastDueDate = paid.filter(({ dueDate }) => dueDate < today);
  const outstanding =
    fault === 'stats-outstanding-excludes-overdue' ? unpaid.filter((invoice) => !overdue.includes(invoice)) : unpaid;
  const overdueCount = overdue.length + (fault === 'stats-overdue-includes-paid' ? paidPastDueDate.length : 0);
  const totalOverdue =
    fault === 'stats-total-overdue-includes-paid'
      ? renderCents(
          choices,
          [...overdue, ...paidPastDueDate].reduce((sum, { amount }) => sum + amount, 0),
        )
      : outstandingSum(world, fault === 'stats-overdue-sums-unpaid' ? unpaid : overdue);
  const pending =
    choices.countedAsPending === 'unpaid'
      ? unpaid
      : invoices.filter((invoice) => statusOf(world, invoice) === 'pending');
  const shownOverdueCount = (): number =>
    fault === 'stats-overdue-stale' ? rememberFirst(world, 'overdue', overdueCount) : overdueCount;
  return ok(world, {
    total_invoices: fault === 'stats-total-counts-only-unpaid' ? unpaid.length : invoices.length,
    pending_invoices: pending.length + (fault === 'stats-pending-includes-paid' ? paid.length : 0),
    paid_invoices: fault === 'stats-paid-always-0' ? 0 : paid.length,
    overdue_invoices: fault === 'stats-overdue-always-0' ? 0 : shownOverdueCount(),
    total_outstanding: outstandingSum(
      world,
      fault === 'stats-outstanding-includes-paid' ? [...unpaid, ...paid] : outstanding,
    ),
    total_overdue: fault === 'stats-total-overdue-stale' ? rememberFirst(world, 'total', totalOverdue) : totalOverdue,
    currency: choices.currency,
    ...undocumentedFields(choices, { generated_by: 'nightly-job' }),
  });
};

const threeYearsMs = 3 * 366 * 86_400_000;

export const listOverdue: Handler = (world) => {
  const { choices, fault } = world;
  const invoices = [...world.invoices.values()];
  const unpaid = invoices.filter(isUnpaid);
  const today = dateOf(choices, Date.now());
  const overdue = invoices.filter((invoice) => {
    if (fault === 'overdue-lists-future') return isUnpaid(invoice);
    if (fault === 'overdue-lists-paid') return invoice.dueDate < today;
    if (fault === 'years-overdue-not-listed') {
      return isOverdue(world, invoice) && Date.parse(today) - Date.parse(invoice.dueDate) < threeYearsMs;
    }
    return isOverdue(world, invoice);
  });
  const views = overdue.map((invoice) => overdueView(world, invoice));
  const shownViews = fault === 'overdue-list-stale' ? rememberFirst(world, 'overdue', views) : views;
  const response = ok(world, [...shownViews]);
  Object.assign(response.body, {
    count: fault === 'overdue-count-stale' ? rememberFirst(world, 'count', overdue.length) : overdue.length,
    total_outstanding: outstandingSum(world, choices.overdueTotalIncludes === 'unpaid' ? unpaid : overdue),
    currency: choices.currency,
  });
  return response;
};

export const createInvoice: Handler = (world, { body }) => {
  const { choices, fault } = world;
  const fields = new BodyFields(world, 'invoice-create', body);
  const customerId = fields.integer('customer_id');
  const givenNumber = fields.optionalText('invoice_number');
  const number = fault === 'custom-number-without-punctuation' ? givenNumber?.replace(/[^\w-]/g, '-') : givenNumber;
  const reference = fields.optionalText('reference');
  const date = fields.date('date');
  const dueDate = fields.date('due_date');
  const notes = fields.optionalText('notes');
  const usualMinimum = fault === 'quantity-minimum-refused' ? 0.011 : 0.01;
  const minimumQuantity = fault === 'quantity-below-minimum-accepted' ? 0.001 : usualMinimum;
  const requestedItems = fields.list('items').map((item, index, all) => ({
    description: item.text('description').slice(0, fault === 'item-description-truncated' ? 60 : undefined),
    quantity: item.number('quantity', {
      minimum: fault === 'quantity-checked-only-in-last-item' && index < all.length - 1 ? -Infinity : minimumQuantity,
    }),
    unitPrice:
      fault === 'second-item-price-optional' && index > 0
        ? (item.optionalNumber('unit_price') ?? 0)
        : item.number('unit_price'),
    taxRate: taxRateOf(world, item.optionalNumber('tax_rate', { minimum: 0 })),
  }));
  const items = fault === 'equal-items-merged' ? mergeEqualItems(requestedItems) : requestedItems;

  const customer = findCustomer(world, customerId);
  if (customer === undefined) fields.addProblem('customer_id', 'unknown');
  const isDueDateAllowed = fault === 'due-on-date-refused' ? dueDate > date : dueDate >= date;
  if (!isDueDateAllowed && fault !== 'due-before-date-accepted') fields.addProblem('due_date', 'beforeOtherDate');
  if (fault === 'past-due-date-refused' && dueDate < dateOf(choices, Date.now()))
    fields.addProblem('due_date', 'beforeOtherDate');
  if (number !== undefined && choices.duplicateInvoiceNumber === 'refused') {
    if ([...world.invoices.values()].some((invoice) => invoice.number === number)) {
      fields.addProblem('invoice_number', 'taken');
    }
  }
  fields.throwIfInvalid();
  // Never happens, since an unknown customer has been reported above.
  if (customer === undefined) throw serviceError(choices, 500, 'internalError');

  const invoice = storeInvoice(world, {
    customer,
    date,
    dueDate,
    items,
    reference: storedReference(world, reference),
    notes: fault === 'notes-not-stored' ? undefined : notes?.slice(0, fault === 'notes-truncated' ? 200 : undefined),
    ...(number === undefined || fault === 'number-ignored' ? {} : { number }),
  });
  if (fault === 'invoice-not-stored') world.invoices.delete(invoice.id);
  const status = fault === 'past-due-date-starts-overdue' ? statusOf(world, invoice) : invoice.status;
  const response = ok(world, invoiceView(world, invoice, status), 201);
  response.body['message'] = 'Invoice created successfully';
  return response;
};

/** Returns the tax rate of a new line item, in percent. */
function taxRateOf({ fault }: World, requestedRate: number | undefined): number {
  if (requestedRate === undefined) return fault === 'tax-rate-default-19' ? 19 : 0;
  if (fault === 'tax-rate-below-1-read-as-fraction' && requestedRate < 1) return requestedRate * 100;
  if (fault === 'tax-rate-capped-at-25') return Math.min(requestedRate, 25);
  if (fault === 'tax-rate-one-decimal') return Math.round(requestedRate * 10) / 10;
  return fault === 'tax-rate-truncated' ? Math.trunc(requestedRate) : requestedRate;
}

/** Returns the reference that is stored for a new invoice. */
function storedReference({ fault }: World, reference: string | undefined): string | undefined {
  if (fault === 'reference-not-stored') return undefined;
  return fault === 'reference-apostrophe-escaped' ? reference?.replaceAll("'", '&#039;') : reference;
}

/** Keeps only one of several equal items. */
function mergeEqualItems(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

function findCustomer({ customers, fault, faultDefinition }: World, id: number): Customer | undefined {
  if (fault === 'create-for-newest-customer' && customers.has(id)) return [...customers.values()].at(-1);
  // An omitted id is read as a placeholder, which need not be the id of a customer.
  const acceptsUnknown =
    fault === 'unknown-customer-accepted' || faultDefinition?.makesOptional === 'invoice-create customer_id';
  return customers.get(id) ?? (acceptsUnknown ? [...customers.values()][0] : undefined);
}

export const sendReminder: Handler = (world, { id }) => {
  const { choices, fault } = world;
  const invoice = world.invoices.get(Number(id));
  if (invoice === undefined) throw serviceError(choices, 404, 'invoiceNotFound');
  if (invoice.status === 'paid' && fault !== 'reminder-for-paid-sent') throw serviceError(choices, 400, 'alreadyPaid');
  if (fault === 'reminder-for-overdue-refused' && isOverdue(world, invoice))
    throw serviceError(choices, 400, 'reminderNotAllowed');
  const isDraftOrCancelled = invoice.status === 'draft' || invoice.status === 'cancelled';
  if (isDraftOrCancelled && choices.reminderForDraftOrCancelled === 'refused') {
    throw serviceError(choices, 400, 'reminderNotAllowed');
  }
  return {
    status: choices.actionStatus,
    headers: {},
    body: {
      success: true,
      message: 'Invoice reminder sent successfully',
      ...undocumentedFields(choices, { data: { recipient: invoice.customer.email } }),
    },
  };
};
