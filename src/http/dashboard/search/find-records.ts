import { integerOrText } from '../../../lib/integer-or-text.js';
import type { Account } from '../../../simulation/account.js';
import { deliveryStatus } from '../../../simulation/delivery/deliveries.js';
import type { Table } from '../../../simulation/state/table.js';
import { formatTime } from '../../../text/format.js';
import { nameOrElse } from '../components/record-link.js';
import { addressOf, type Section } from '../components/sections.js';
import { textMatcher } from '../routing/search.js';

/** A search result. */
export interface FoundRecord {
  readonly href: string;
  readonly name: string;
  /** Further texts to tell records apart, such as the customer; null if a record has none. */
  readonly details: readonly (string | null)[];
  readonly status?: string;
}

/** The search results in a section. */
export interface SectionResults {
  readonly section: Section;
  readonly records: readonly FoundRecord[];
  /** True if there may be more results, which the list of the section can find. */
  readonly hasMore: boolean;
}

/** Maximum number of results in a section. */
const maxResults = 5;

/** Maximum number of rows that are searched in a table, latest first, so that a search stays fast in large tables. */
const maxSearchedRows = 20_000;

/** A table to search, and how its rows are shown. */
interface SearchSource<Row> {
  readonly section: Section;
  /** Finds rows by a complete identifier, such as an id or a slug. Unlike the text search, it also finds old rows. */
  readonly findExact: (text: string) => readonly (Row | undefined)[];
  /** The latest row comes last. */
  readonly rows: readonly Row[];
  readonly searchTextsOf: (row: Row) => readonly (string | null)[];
  readonly show: (row: Row) => Omit<FoundRecord, 'href'> & { readonly id: number | string };
}

/** The sections of records, by the nouns with which the dashboard names them. */
const sectionsByNoun: Readonly<Record<string, Section>> = {
  invoice: 'invoices',
  payment: 'payments',
  deposit: 'deposits',
  customer: 'customers',
  delivery: 'webhooks',
  email: 'mails',
  mail: 'mails',
};

/** Parses the name of a record: `deposit 8`, `payment link 4`, `deposit:8`. */
function parseName(text: string): { readonly section: Section | undefined; readonly id: string } {
  const { noun = '', id = '' } = /^(?<noun>[a-z]+(?:[ _]link)?)[ :]+#?(?<id>\S+)$/i.exec(text)?.groups ?? {};
  const isLink = /^payment[ _]link$/i.test(noun);
  return { section: isLink ? 'payment-links' : sectionsByNoun[noun.toLowerCase()], id };
}

/** Finds records, events, emails and requests by their names, identifiers and texts. */
export function findRecords(account: Account, text: string): SectionResults[] {
  if (text === '') return [];
  const isFound = textMatcher(text);
  const name = parseName(text);

  function searchTable<Row>({ section, findExact, rows, searchTextsOf, show }: SearchSource<Row>): SectionResults {
    const found = new Set<Row>();
    for (const row of [...(name.section === section ? findExact(name.id) : []), ...findExact(text)]) {
      if (row !== undefined && found.size < maxResults) found.add(row);
    }
    const lowestIndex = Math.max(0, rows.length - maxSearchedRows);
    let index = rows.length - 1;
    for (; index >= lowestIndex && found.size < maxResults; index--) {
      const row = rows[index];
      if (row !== undefined && isFound(searchTextsOf(row))) found.add(row);
    }
    const records = [...found].map((row) => {
      const { id, ...record } = show(row);
      return { ...record, href: addressOf(account.id, section, id) };
    });
    return { section, records, hasMore: index >= 0 };
  }

  const results = [
    searchTable({
      section: 'invoices',
      findExact: (idOrNumber) => [...byId(account.invoices, idOrNumber), ...account.invoicesByNumber.all(idOrNumber)],
      rows: account.invoices.rows,
      searchTextsOf: ({ invoice_number, reference, customer_id }) => {
        const customer = account.customers.get(customer_id);
        return [invoice_number, reference, customer?.name ?? null, customer?.email ?? null];
      },
      show: ({ id, invoice_number, reference, status, customer_id }) => {
        return {
          id,
          name: nameOrElse(invoice_number, `invoice ${id}`),
          details: [reference, account.customers.get(customer_id)?.name ?? null],
          status,
        };
      },
    }),
    searchTable({
      section: 'payment-links',
      findExact: (idOrSlug) => [...byId(account.paymentLinks, idOrSlug), ...account.paymentLinksBySlug.all(idOrSlug)],
      rows: account.paymentLinks.rows,
      searchTextsOf: ({ slug, description }) => [slug, description],
      show: ({ id, slug, description, is_active }) => {
        return { id, name: slug, details: [description], status: is_active ? 'active' : 'inactive' };
      },
    }),
    searchTable({
      section: 'payments',
      findExact: (id) => byId(account.payments, id),
      rows: account.payments.rows,
      searchTextsOf: ({ reference, description, customer }) => [reference, description, customer.name, customer.email],
      show: ({ id, reference, description, customer, status }) => {
        return { id, name: reference, details: [description, customer.name], status };
      },
    }),
    searchTable({
      section: 'deposits',
      findExact: (idOrBooking) => [
        ...byId(account.deposits, idOrBooking),
        ...account.depositsOfBooking.all(idOrBooking),
      ],
      rows: account.deposits.rows,
      searchTextsOf: ({ id, booking_reference, customer }) => [
        // Numeric ids are only found by `findExact`; a text id is also found by a part of it.
        typeof id === 'string' ? id : null,
        booking_reference,
        customer?.name ?? null,
        customer?.email ?? null,
      ],
      show: ({ id, booking_reference, customer, status }) => {
        return { id, name: `Deposit ${id}`, details: [booking_reference, customer?.name ?? null], status };
      },
    }),
    searchTable({
      section: 'customers',
      findExact: (idOrEmail) => [...byId(account.customers, idOrEmail), ...account.customersByEmail.all(idOrEmail)],
      rows: account.customers.rows,
      searchTextsOf: ({ name, email, company }) => [name, email, company],
      show: ({ id, name, email, company }) => ({
        id,
        name: nameOrElse(name, `customer ${id}`),
        details: [email, company],
      }),
    }),
    searchTable({
      section: 'webhooks',
      findExact: (id) => [account.deliveries.get(id)],
      rows: account.deliveries.rows,
      searchTextsOf: ({ id, event }) => [id, event],
      show: (delivery) => {
        const { id, event, created_at } = delivery;
        return { id, name: event, details: [id, formatTime(created_at)], status: deliveryStatus(account, delivery) };
      },
    }),
    searchTable({
      section: 'mails',
      findExact: (id) => byId(account.mails, id),
      rows: account.mails.rows,
      searchTextsOf: ({ subject, to }) => [subject, to],
      show: ({ id, subject, to }) => ({ id, name: subject, details: [to] }),
    }),
    searchTable({
      section: 'requests',
      // Not needed: the log of requests is short, so the text search reaches every request.
      findExact: () => [],
      rows: account.requests.newestFirst().reverse(),
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
  return results.filter(({ records }) => records.length > 0);
}

/** Finds a row by its id, which may be written with `#`. */
function byId<Row extends { readonly id: number | string }>(table: Table<Row>, text: string): (Row | undefined)[] {
  const id = text.replace(/^#/, '');
  return [table.get(integerOrText(id))];
}
