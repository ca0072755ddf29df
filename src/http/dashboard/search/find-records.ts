import type { Account } from '../../../simulation/account.js';
import { deliveryStatus } from '../../../simulation/delivery/deliveries.js';
import type { Table } from '../../../simulation/state/table.js';
import { readInteger } from '../../service/query.js';
import { addressOf, type Section } from '../components/sections.js';
import { textMatcher } from '../routing/search.js';

/** A record that was found. */
export interface FoundRecord {
  readonly href: string;
  readonly name: string;
  readonly details: readonly (string | null)[];
  readonly status?: string;
}

/** The records found in a section. */
export interface FoundRecords {
  readonly section: Section;
  readonly records: readonly FoundRecord[];
  /** True if there may be more: the list of the section searches all of its rows. */
  readonly hasMore: boolean;
}

/** Maximum number of records found in a section. */
const maxFound = 5;

/** Maximum number of rows searched in a table, latest first: a page must not take longer the more rows there are. */
const maxSearchedRows = 20_000;

interface Source<Row> {
  readonly section: Section;
  /** Finds rows by their whole id, number or name, whatever their age. */
  readonly exact: (text: string) => readonly (Row | undefined)[];
  /** Latest last. */
  readonly rows: readonly Row[];
  readonly searchTextsOf: (row: Row) => readonly (string | null)[];
  readonly show: (row: Row) => Omit<FoundRecord, 'href'> & { readonly id: number | string };
}

/** Finds records, events, emails and requests by id, number, reference, name or address. */
export function findRecords(account: Account, text: string): FoundRecords[] {
  if (text === '') return [];
  const isFound = textMatcher(text);

  function find<Row>({ section, exact, rows, searchTextsOf, show }: Source<Row>): FoundRecords {
    const found = new Set<Row>();
    for (const row of exact(text)) {
      if (row !== undefined && found.size < maxFound) found.add(row);
    }
    const end = Math.max(0, rows.length - maxSearchedRows);
    let at = rows.length - 1;
    for (; at >= end && found.size < maxFound; at--) {
      const row = rows[at];
      if (row !== undefined && isFound(searchTextsOf(row))) found.add(row);
    }
    const records = [...found].map((row) => {
      const { id, ...record } = show(row);
      return { ...record, href: addressOf(account.id, section, id) };
    });
    return { section, records, hasMore: at >= 0 };
  }

  const sources = [
    find({
      section: 'invoices',
      exact: (number) => [...byId(account.invoices, number), ...account.invoiceNumbers.all(number)],
      rows: account.invoices.rows,
      searchTextsOf: ({ invoice_number, reference }) => [invoice_number, reference],
      show: ({ id, invoice_number, reference, status, customer_id }) => {
        return {
          id,
          name: invoice_number,
          details: [reference, account.customers.get(customer_id)?.name ?? null],
          status,
        };
      },
    }),
    find({
      section: 'payment-links',
      exact: (slug) => [...byId(account.paymentLinks, slug), ...account.slugs.all(slug)],
      rows: account.paymentLinks.rows,
      searchTextsOf: ({ slug, description }) => [slug, description],
      show: ({ id, slug, description, is_active }) => {
        return { id, name: slug, details: [description], status: is_active ? 'active' : 'inactive' };
      },
    }),
    find({
      section: 'payments',
      exact: (id) => byId(account.payments, id),
      rows: account.payments.rows,
      searchTextsOf: ({ reference, description, customer }) => [reference, description, customer.name, customer.email],
      show: ({ id, reference, description, customer, status }) => {
        return { id, name: reference, details: [description, customer.name], status };
      },
    }),
    find({
      section: 'deposits',
      exact: (reference) => [...byId(account.deposits, reference), ...account.depositsOfBooking.all(reference)],
      rows: account.deposits.rows,
      searchTextsOf: ({ id, booking_reference, customer }) => [
        typeof id === 'string' ? id : null,
        booking_reference,
        customer?.name ?? null,
        customer?.email ?? null,
      ],
      show: ({ id, booking_reference, customer, status }) => {
        return { id, name: `Deposit ${id}`, details: [booking_reference, customer?.name ?? null], status };
      },
    }),
    find({
      section: 'customers',
      exact: (email) => [...byId(account.customers, email), ...account.customersByEmail.all(email)],
      rows: account.customers.rows,
      searchTextsOf: ({ name, email, company }) => [name, email, company],
      show: ({ id, name, email, company }) => ({ id, name, details: [email, company] }),
    }),
    find({
      section: 'webhooks',
      exact: (id) => [account.deliveries.get(id)],
      rows: account.deliveries.rows,
      searchTextsOf: ({ id, event }) => [id, event],
      show: (delivery) => {
        const { id, event, created_at } = delivery;
        return { id, name: event, details: [id, created_at], status: deliveryStatus(account, delivery) };
      },
    }),
    find({
      section: 'mails',
      exact: (id) => byId(account.mails, id),
      rows: account.mails.rows,
      searchTextsOf: ({ subject, to }) => [subject, to],
      show: ({ id, subject, to }) => ({ id, name: subject, details: [to] }),
    }),
    find({
      section: 'requests',
      exact: () => [],
      rows: account.requests.latest().reverse(),
      searchTextsOf: ({ id, path, operation, error }) => [id, path, operation, error],
      show: ({ id, method, path, operation, status }) => {
        return {
          id,
          name: `${method} ${path}`,
          details: [operation, status === null ? 'no response' : String(status)],
        };
      },
    }),
  ];
  return sources.filter(({ records }) => records.length > 0);
}

function byId<Row extends { readonly id: number | string }>(table: Table<Row>, text: string): (Row | undefined)[] {
  const id = text.replace(/^#/, '');
  return [table.get(readInteger(id))];
}
