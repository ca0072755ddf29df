import { integerOrText } from '../../../lib/integer-or-text.js';
import type { Account } from '../../../simulation/account.js';
import { deliveryStatus } from '../../../simulation/delivery/deliveries.js';
import type { Table } from '../../../simulation/state/table.js';
import { formatTime } from '../../../text/format.js';
import { nameOrElse, sectionByResource } from '../components/record-link.js';
import { type Section, sectionPath } from '../components/sections.js';
import { customerList } from '../pages/customers.js';
import { depositList } from '../pages/deposits.js';
import { invoiceList } from '../pages/invoices.js';
import { mailList } from '../pages/mails.js';
import { linkList, linkStatus } from '../pages/payment-links.js';
import { paymentList } from '../pages/payments.js';
import { requestList } from '../pages/requests.js';
import { deliveryList } from '../pages/webhooks.js';
import { type ListSource, rowMatcher } from './list-rows.js';

/** A result of a search: a record, an event, an email or a request. */
export interface SearchResult {
  readonly href: string;
  readonly name: string;
  /** Further texts to tell results apart, such as the name of the customer; null for a missing value. */
  readonly details: readonly (string | null)[];
  readonly status?: string;
}

/** The search results in a section. */
export interface SectionResults {
  readonly section: Section;
  readonly results: readonly SearchResult[];
  /** True if there may be more results, which the list of the section can find, even if there are none here. */
  readonly hasMore: boolean;
}

/** Maximum number of results in a section. */
const maxResults = 5;

/** Maximum number of rows that are searched in a table, latest first, so that a search stays fast in large tables. */
export const maxSearchedRows = 20_000;

/** A list to search, and how the search shows its rows. */
interface SearchedList<Row> {
  readonly section: Section;
  readonly source: ListSource<Row>;
  /** Finds rows by a complete identifier, such as an id or a slug. Unlike the text search, it also finds old rows. */
  readonly findExact: (text: string) => readonly (Row | undefined)[];
  readonly show: (row: Row) => Omit<SearchResult, 'href'> & { readonly id: number | string };
}

/** The section of a record, keyed by the noun of the record; `payment_link` or `link` for a payment link. */
const sectionByNoun: Readonly<Record<string, Section>> = {
  ...sectionByResource,
  delivery: 'webhooks',
  email: 'mails',
  event: 'webhooks',
  link: 'payment-links',
  mail: 'mails',
  request: 'requests',
};

/** Parses the name of a record: `deposit 8`, `payment link 4`, `deposit:8`. */
function parseName(text: string): { readonly section: Section | undefined; readonly id: string } {
  const { noun = '', id = '' } = /^(?<noun>[a-z]+(?:[ _]link)?)[ :]+#?(?<id>\S+)$/i.exec(text)?.groups ?? {};
  return { section: sectionByNoun[noun.toLowerCase().replace(' ', '_')], id };
}

/** Finds records, events, emails and requests by name or identifier, and by the texts that their lists search. */
export function findRecords(account: Account, text: string): SectionResults[] {
  if (text === '') return [];
  const search = <Row>(list: SearchedList<Row>): SectionResults => searchList(account, text, list);
  const sections = [
    search({
      section: 'invoices',
      source: invoiceList(account),
      findExact: (idOrNumber) => [...byId(account.invoices, idOrNumber), ...account.invoicesByNumber.all(idOrNumber)],
      show: ({ id, invoice_number, reference, status, customer_id }) => {
        return {
          id,
          name: nameOrElse(invoice_number, `invoice ${id}`),
          details: [reference, account.customers.get(customer_id)?.name ?? null],
          status,
        };
      },
    }),
    search({
      section: 'payment-links',
      source: linkList(account),
      findExact: (idOrSlug) => [...byId(account.paymentLinks, idOrSlug), ...account.paymentLinksBySlug.all(idOrSlug)],
      show: (link) => ({ id: link.id, name: link.slug, details: [link.description], status: linkStatus(link) }),
    }),
    search({
      section: 'payments',
      source: paymentList(account),
      findExact: (id) => byId(account.payments, id),
      show: ({ id, reference, description, customer, status }) => {
        return { id, name: reference, details: [description, customer.name], status };
      },
    }),
    search({
      section: 'deposits',
      source: depositList(account),
      findExact: (idOrBooking) => [
        ...byId(account.deposits, idOrBooking),
        ...account.depositsOfBooking.all(idOrBooking),
      ],
      show: ({ id, booking_reference, customer, status }) => {
        return { id, name: `Deposit ${id}`, details: [booking_reference, customer?.name ?? null], status };
      },
    }),
    search({
      section: 'customers',
      source: customerList(account),
      findExact: (idOrEmail) => [...byId(account.customers, idOrEmail), ...account.customersByEmail.all(idOrEmail)],
      show: ({ id, name, email, company }) => ({
        id,
        name: nameOrElse(name, `customer ${id}`),
        details: [email, company],
      }),
    }),
    search({
      section: 'webhooks',
      source: deliveryList(account),
      findExact: (id) => [account.deliveries.get(id)],
      show: (delivery) => {
        const { id, event, created_at } = delivery;
        return { id, name: event, details: [id, formatTime(created_at)], status: deliveryStatus(account, delivery) };
      },
    }),
    search({
      section: 'mails',
      source: mailList(account),
      findExact: (id) => byId(account.mails, id),
      show: ({ id, subject, to }) => ({ id, name: subject, details: [to] }),
    }),
    search({
      section: 'requests',
      source: requestList(account),
      findExact: (requestId) => account.requests.newestFirst().filter(({ id }) => id === requestId),
      show: ({ id, method, path, operation, status }) => {
        return {
          id,
          name: `${method} ${path}`,
          details: [operation, status === null ? 'no response' : String(status)],
        };
      },
    }),
  ];
  return sections.filter(({ results, hasMore }) => results.length > 0 || hasMore);
}

/** Searches a list: first for the row that the text identifies, and then for rows that contain the text, latest first. */
function searchList<Row>(
  account: Account,
  text: string,
  { section, source, findExact, show }: SearchedList<Row>,
): SectionResults {
  const name = parseName(text);
  const { rows } = source;
  const found = new Set<Row>();
  for (const row of [...(name.section === section ? findExact(name.id) : []), ...findExact(text)]) {
    if (row !== undefined && found.size < maxResults) found.add(row);
  }
  const isMatch = rowMatcher(source, text);
  const lowestIndex = Math.max(0, rows.length - maxSearchedRows);
  let index = rows.length - 1;
  for (; index >= lowestIndex && found.size < maxResults; index--) {
    const row = rows[index];
    if (row !== undefined && isMatch(row)) found.add(row);
  }
  const results = [...found].map((row) => {
    const { id, ...result } = show(row);
    return { ...result, href: sectionPath(account.id, section, id) };
  });
  return { section, results, hasMore: index >= 0 };
}

/** Finds a row by its id, which may be written with `#`. @returns a list of one element, as `findExact` does */
function byId<Row extends { readonly id: number | string }>(table: Table<Row>, text: string): (Row | undefined)[] {
  const id = text.replace(/^#/, '');
  return [table.get(integerOrText(id))];
}
