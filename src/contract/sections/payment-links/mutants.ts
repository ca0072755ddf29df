import type { InterceptedRequest, Interceptor, Json } from '../../mutation/interceptor.js';
import {
  keepFirst,
  onAnswer,
  onList,
  onRecord,
  onRequest,
  onRows,
  refuse,
  removeField,
  setFields,
} from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf } from '../../mutation/mutant.js';

const links = '/payment-links';

const created =
  (change: (link: Json) => void): (() => Interceptor) =>
  () =>
    onRecord('POST', links, change);
const asking =
  (change: (body: Json) => unknown): (() => Interceptor) =>
  () =>
    onRequest('POST', links, ({ body, token }: InterceptedRequest) => {
      if (token === 'full') change(body);
    });
const listed =
  (change: (row: Json) => unknown): (() => Interceptor) =>
  () =>
    onRows(links, change);
/** Changes links that the suite did not create: other clauses compare its own. */
const others = (change: (row: Json) => void): (() => Interceptor) =>
  listed((row) => {
    if (!isOwn(row)) change(row);
  });
const isOwn = ({ description }: Json): boolean => /^contract/i.test(String(description));
const without = (field: string): (() => Interceptor) => others((row) => removeField(row, field));
const otherUrl = (change: (url: string) => string): (() => Interceptor) =>
  created((link) => setFields(link, { url: change(String(link['url'])) }));

/** A link gets the id of an earlier one with the same description. */
function repeatIds(): Interceptor {
  const ids = new Map<unknown, unknown>();
  return onRecord('POST', links, (link) => {
    const { description, id } = link;
    setFields(link, { id: ids.get(description) ?? id });
    ids.set(description, link['id']);
  });
}

/** Changes a number of links that were paid, or of those that were not. */
const figure = (
  field: string,
  isSelected: (count: unknown) => boolean,
  value: (row: Json) => unknown,
): (() => Interceptor) =>
  listed((row) => {
    if (isSelected(row['payments_count'])) setFields(row, { [field]: value(row) });
  });
const isUnpaid = (count: unknown): boolean => count === 0;
const isPaid = (count: unknown): boolean => count === 1;

/** Replaces characters of more than two bytes by question marks. */
const withoutLongCharacters = (link: Json): void =>
  setFields(link, { description: String(link['description']).replace(/[\u{10000}-\u{10FFFF}]/gu, '?') });

const inEuros = (link: Json): void => setFields(link, { currency: 'EUR' });

/** A link counts the payments of all links with the same description, ignoring case. */
function countSameDescription(): Interceptor {
  const nameOf = ({ description }: Json): string => String(description).toLowerCase();
  return onList(links, (rows) =>
    rows.map((row) => {
      const namesakes = rows.filter((other) => nameOf(other) === nameOf(row));
      return { ...row, payments_count: namesakes.reduce((sum, other) => sum + Number(other['payments_count']), 0) };
    }),
  );
}

/** Mutants of payment links. */
export const linkMutants: readonly Mutant[] = mutantsOf([
  [
    'LINK-CREATE-01',
    'Creating a link with a token that has both scopes is refused.',
    () => onAnswer('POST', links, (response, { token }) => token === 'full' && refuse(response, 500)),
  ],
  [
    'LINK-CREATE-02',
    'The `id` of a new link is a text.',
    created((link) => setFields(link, { id: String(link['id']) })),
  ],
  [
    'LINK-CREATE-03',
    'The `url` of a new link is a path.',
    created((link) => setFields(link, { url: '/pay/somewhere' })),
  ],
  [
    'LINK-CREATE-04',
    'The `description` of a new link is null.',
    created((link) => setFields(link, { description: null })),
  ],
  [
    'LINK-CREATE-05',
    'The `amount` of a new link is in German format.',
    created((link) => setFields(link, { amount: '19,99' })),
  ],
  ['LINK-CREATE-06', 'The `currency` of a new link is a sign.', created((link) => setFields(link, { currency: '€' }))],
  [
    'LINK-CREATE-07',
    'The `created_at` of a new link has no offset.',
    created((link) => setFields(link, { created_at: '2026-03-01T09:00:00' })),
  ],
  [
    'LINK-CREATE-08',
    'The description of a new link is escaped for HTML.',
    created((link) => setFields(link, { description: String(link['description']).replaceAll('&', '&amp;') })),
  ],
  [
    'LINK-CREATE-09',
    'The amount of a new link is rounded.',
    created((link) => setFields(link, { amount: Math.round(Number(link['amount'])) })),
  ],
  [
    'LINK-CREATE-10',
    'The default currency of a link is USD.',
    asking((body) => setFields(body, { currency: body['currency'] ?? 'USD' })),
  ],
  ['LINK-CREATE-11', 'A new link is always in USD.', created((link) => setFields(link, { currency: 'USD' }))],
  ['LINK-CREATE-12', 'A link that is described as an earlier one has its `id`.', repeatIds],
  [
    'LINK-CREATE-13',
    'A link without a description is accepted.',
    asking((body) => setFields(body, { description: body['description'] ?? 'untitled' })),
  ],
  [
    'LINK-CREATE-14',
    'A link without an amount is accepted.',
    asking((body) => setFields(body, { amount: body['amount'] ?? 1 })),
  ],
  [
    'LINK-CREATE-15',
    'A word is accepted as an amount.',
    asking((body) => typeof body['amount'] === 'string' && setFields(body, { amount: 1 })),
  ],
  [
    'LINK-CREATE-16',
    'An object is accepted as a description.',
    asking((body) => typeof body['description'] === 'object' && setFields(body, { description: '[object Object]' })),
  ],
  [
    'LINK-CREATE-17',
    'A currency is truncated to three letters.',
    asking(
      (body) => typeof body['currency'] === 'string' && setFields(body, { currency: body['currency'].slice(0, 3) }),
    ),
  ],
  [
    'LINK-CREATE-18',
    'Every link has a host of its own.',
    created((link) => setFields(link, { url: `https://pay${link['id']}.example/slug` })),
  ],
  [
    'LINK-CREATE-19',
    'The response to a creation has `is_active`.',
    created((link) => setFields(link, { is_active: true })),
  ],
  ['LINK-SLUG-01', 'The slug of a link is in upper case.', otherUrl((url) => url.toUpperCase())],
  ['LINK-SLUG-02', 'The second slug ends with -1.', otherUrl((url) => url.replace(/-2$/, '-1'))],
  ['LINK-SLUG-03', 'The third slug is that of the second.', otherUrl((url) => url.replace(/-3$/, '-2'))],
  ['LINK-SLUG-04', 'The third slug ends with -22.', otherUrl((url) => url.replace(/-3$/, '-22'))],
  ['LINK-CREATE-21', 'A new link is described in characters of two bytes at most.', created(withoutLongCharacters)],
  ['LINK-CREATE-22', 'A new link is always in EUR.', created(inEuros)],
  ['LINK-SLUG-05', 'A slug is free that was only given with a number.', otherUrl((url) => url.replace(/-2-2$/, '-2'))],
  [
    'LINK-LIST-21',
    'New links are listed with another `id`.',
    listed((row) => isOwn(row) && setFields(row, { id: Number(row['id']) + 100_000 })),
  ],
  ['LINK-LIST-22', 'Older links are listed without `id`.', without('id')],
  ['LINK-LIST-23', 'Older links are listed without `url`.', without('url')],
  ['LINK-LIST-24', 'Older links are listed without `description`.', without('description')],
  ['LINK-LIST-25', 'Older links are listed without `amount`.', without('amount')],
  ['LINK-LIST-26', 'Older links are listed without `currency`.', without('currency')],
  ['LINK-LIST-27', 'Older links are listed without `created_at`.', without('created_at')],
  ['LINK-LIST-28', 'Older links are listed without `payments_count`.', without('payments_count')],
  ['LINK-LIST-29', 'Older links are listed without `revenue`.', without('revenue')],
  [
    'LINK-LIST-30',
    '`is_active` of older links is a number.',
    others((row) => setFields(row, { is_active: row['is_active'] ? 1 : 0 })),
  ],
  ['LINK-LIST-31', 'Links are listed with another `url`.', listed((row) => setFields(row, { url: `${row['url']}-9` }))],
  [
    'LINK-LIST-32',
    'Descriptions of links are truncated in the list.',
    listed((row) => setFields(row, { description: String(row['description']).slice(0, 10) })),
  ],
  [
    'LINK-LIST-33',
    'Amounts of links are listed in cents.',
    listed((row) => setFields(row, { amount: Number(row['amount']) * 100 })),
  ],
  ['LINK-LIST-34', 'Links are listed in USD.', listed((row) => setFields(row, { currency: 'USD' }))],
  [
    'LINK-LIST-35',
    'Links are listed as created in 2020.',
    listed((row) => setFields(row, { created_at: '2020-01-01T00:00:00Z' })),
  ],
  ['LINK-LIST-36', 'A new link counts as paid once.', figure('payments_count', isUnpaid, () => 1)],
  ['LINK-LIST-37', 'A new link has its amount for revenue.', figure('revenue', isUnpaid, (row) => row['amount'])],
  ['LINK-LIST-38', 'A new link is not active.', figure('is_active', isUnpaid, () => false)],
  ['LINK-LIST-39', 'Payments of a link are not counted.', figure('payments_count', isPaid, () => 0)],
  ['LINK-LIST-40', 'Payments of a link do not count as revenue.', figure('revenue', isPaid, () => 0)],
  ['LINK-LIST-41', 'The `total` of links never changes.', () => onRecord('GET', links, keepFirst('total'))],
  ['LINK-LIST-42', 'A payment counts for all links with the same description.', countSameDescription],
  ['LINK-LIST-43', 'Links are listed without characters of more than two bytes.', listed(withoutLongCharacters)],
  ['LINK-LIST-44', 'All links are listed in EUR.', listed(inEuros)],
]);
