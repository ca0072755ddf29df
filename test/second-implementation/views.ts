import { centsOf } from './decimals.js';
import type { JsonObject } from './json.js';
import {
  dateOf,
  formatTime,
  optionalField,
  optionalTextField,
  renderCents,
  renderDecimal,
  undocumentedFields,
} from './render.js';
import type { Customer, Deposit, Invoice, Item, Link, Payment, World } from './world.js';

// The functions whose names end with `View` return records as the JSON of responses shows them.

const unpaidStatuses: readonly string[] = ['pending', 'sent', 'viewed', 'partial'];

export const isUnpaid = (invoice: Invoice): boolean => unpaidStatuses.includes(invoice.status);

export const isOverdue = (world: World, invoice: Invoice): boolean =>
  isUnpaid(invoice) && invoice.dueDate < dateOf(world.choices, Date.now());

/** Returns the status that responses show. It may be `overdue`, which is computed and never stored. */
export const statusOf = (world: World, invoice: Invoice): string =>
  isOverdue(world, invoice) && world.choices.overdueStatus === 'shown' ? 'overdue' : invoice.status;

/** Returns the price of a line item in cents, with tax (gross) or without (net). */
export function lineTotal(item: Item, basis: 'gross' | 'net'): number {
  const factors = [item.quantity, item.unitPrice];
  return basis === 'net' ? centsOf(...factors) : centsOf(...factors, (100 + item.taxRate) / 100);
}

const itemView = ({ choices }: World, item: Item): JsonObject => ({
  description: item.description,
  quantity: renderDecimal(choices, item.quantity),
  unit_price: renderDecimal(choices, item.unitPrice),
  tax_rate: renderDecimal(choices, item.taxRate),
  total: renderCents(choices, lineTotal(item, choices.lineTotal)),
  ...undocumentedFields(choices, { unit: 'Stück', position: null }),
});

const customerView = ({ choices }: World, { id, name, email }: Customer): JsonObject => ({
  id,
  name,
  email,
  ...undocumentedFields(choices, { locale: 'de_CH' }),
});

export const invoiceView = (world: World, invoice: Invoice, status = statusOf(world, invoice)): JsonObject => ({
  id: invoice.id,
  invoice_number: invoice.number,
  ...optionalTextField(world.choices, 'reference', invoice.reference),
  amount: renderCents(world.choices, invoice.amount),
  currency: world.choices.currency,
  status,
  date: invoice.date,
  due_date: invoice.dueDate,
  customer: {
    ...customerView(world, invoice.customer),
    ...optionalTextField(world.choices, 'company', invoice.customer.company),
  },
  invoice_items: invoice.items.map((item) => itemView(world, item)),
  ...undocumentedFields(world.choices, { payment_terms: 'Zahlbar innert 30 Tagen', tags: [] }),
});

export function invoiceDetailView(world: World, invoice: Invoice): JsonObject {
  const { choices } = world;
  const { customer } = invoice;
  return {
    ...invoiceView(world, invoice),
    customer: {
      ...customerView(world, customer),
      ...optionalTextField(choices, 'company', customer.company),
      ...optionalTextField(choices, 'phone', customer.phone),
      ...optionalTextField(choices, 'address', customer.address),
      ...optionalTextField(choices, 'city', customer.city),
      ...optionalTextField(choices, 'postal_code', customer.postal_code),
      ...optionalTextField(choices, 'country', customer.country),
    },
    ...optionalTextField(choices, 'notes', invoice.notes),
    transactions: invoice.transactions.map(({ id, amount, createdAt }) => ({
      id,
      amount: renderCents(choices, amount),
      created_at: formatTime(choices, createdAt),
      ...undocumentedFields(choices, { fee: 0, booking_text: 'Zahlung' }),
    })),
    subscription: invoice.subscription,
  };
}

export function overdueView(world: World, invoice: Invoice): JsonObject {
  const since = world.fault === 'overdue-days-since-date' ? invoice.date : invoice.dueDate;
  const overdueMs = Date.parse(dateOf(world.choices, Date.now())) - Date.parse(since);
  return {
    ...invoiceView(world, invoice),
    days_overdue: overdueMs / 86_400_000,
    payment_link: invoice.paymentInitiated ? null : `${world.paymentPagesUrl}/invoices/${invoice.id}`,
    customer: {
      ...customerView(world, invoice.customer),
      ...optionalTextField(world.choices, 'phone', invoice.customer.phone),
    },
  };
}

const linkUrl = (world: World, link: Link): string => `${world.paymentPagesUrl}/${link.slug}`;

export const linkView = (world: World, link: Link): JsonObject => ({
  id: link.id,
  url: linkUrl(world, link),
  description: link.description,
  amount: renderCents(world.choices, link.amount),
  currency: link.currency,
  created_at: formatTime(world.choices, link.createdAt),
  ...undocumentedFields(world.choices, { qr_code: `${linkUrl(world, link)}.png` }),
});

export function listedLinkView(world: World, link: Link): JsonObject {
  const isSameLink = (other: Link | undefined): boolean =>
    world.fault === 'link-count-merges-case-variants'
      ? other?.description.toLowerCase() === link.description.toLowerCase()
      : other === link;
  const paidPayments = [...world.payments.values()].filter(
    (payment) => isSameLink(payment.link) && payment.status === 'paid',
  );
  const revenue = paidPayments.reduce((sum, { amount }) => sum + amount, 0);
  return {
    ...linkView(world, link),
    payments_count: world.fault === 'link-count-always-0' ? 0 : paidPayments.length,
    revenue: renderCents(world.choices, world.fault === 'link-revenue-always-0' ? 0 : revenue),
    is_active: link.isActive,
  };
}

export const paymentView = (world: World, payment: Payment): JsonObject => ({
  id: payment.id,
  description: payment.description,
  amount: renderCents(world.choices, payment.amount),
  currency: payment.currency,
  status: payment.status,
  payment_method: payment.method,
  payment_link_id: payment.link?.id ?? null,
  payment_link_url: payment.link === undefined ? null : linkUrl(world, payment.link),
  reference: `PAY-${String(payment.id).padStart(6, '0')}`,
  ...optionalField(
    world.choices,
    'paid_at',
    payment.paidAt === undefined ? undefined : formatTime(world.choices, payment.paidAt),
  ),
  created_at: formatTime(world.choices, payment.createdAt),
  customer: customerView(world, payment.customer),
  ...undocumentedFields(world.choices, { fee: 0, refunds: [] }),
});

/**
 * Returns the JSON of a deposit. If the variant shows few fields, only responses to a creation and the webhook about it
 * have `authorization_url`.
 */
export function depositView(world: World, deposit: Deposit, { isCreation = false } = {}): JsonObject {
  const { choices } = world;
  const authorization = { authorization_url: `${world.paymentPagesUrl}/authorize/${deposit.id}` };
  if (choices.depositFields === 'few') {
    return {
      id: deposit.id,
      ...optionalTextField(choices, 'booking_reference', deposit.bookingReference),
      status: deposit.status,
      ...(isCreation ? authorization : {}),
    };
  }
  return {
    id: deposit.id,
    ...optionalTextField(choices, 'booking_reference', deposit.bookingReference),
    amount: renderCents(choices, deposit.amount),
    currency: deposit.currency,
    status: deposit.status,
    captured_amount: renderCents(choices, deposit.captured),
    remaining_amount: renderCents(choices, deposit.amount - deposit.captured),
    ...authorization,
    ...optionalField(choices, 'customer', deposit.customer),
    ...optionalTextField(choices, 'check_in_date', deposit.checkInDate),
    ...optionalTextField(choices, 'check_out_date', deposit.checkOutDate),
    ...optionalField(choices, 'metadata', deposit.metadata),
    created_at: formatTime(choices, deposit.createdAt),
    ...undocumentedFields(choices, { provider: 'sandbox' }),
  };
}
