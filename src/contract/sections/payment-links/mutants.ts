import { isRecord } from '../../../lib/json.js';
import type { JsonObject } from '../../engine/json.js';
import type { InterceptedRequest, Interceptor } from '../../mutation/interceptor.js';
import {
  fieldConverter,
  fieldRemover,
  fieldSetter,
  firstValueRepeater,
  isSuiteText,
  listSecondCopy,
  onData,
  onList,
  onRecords,
  onRequest,
  refuseFullToken,
  setFields,
  setUnusedId,
} from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf } from '../../mutation/mutant.js';
import { concurrentDescriptionEnd } from '../link-slugs/setups.js';
import { paidDescription } from './setups.js';

const linksPath = '/payment-links';

/** Changes the new link in the response to the request that creates it. */
const onCreation = (change: (link: JsonObject) => void): Interceptor => onData('POST', linksPath, change);
/**
 * Changes the bodies of requests that create links with the token `full`. Requests with other tokens stay as they are,
 * so that clauses about scopes still hold.
 */
const onRequestBody = (change: (body: JsonObject) => unknown): Interceptor =>
  onRequest('POST', linksPath, ({ body, token }: InterceptedRequest) => {
    if (token === 'full') change(body);
  });
/** Changes each link of the list. */
const onListed = (change: (record: JsonObject) => unknown): Interceptor => onRecords(linksPath, change);
/** Changes only links that the suite did not create, since other clauses check those that the suite created. */
const onForeignLinks = (change: (record: JsonObject) => void): Interceptor =>
  onListed((record) => {
    if (!isCreatedBySuite(record)) change(record);
  });
const isCreatedBySuite = ({ description }: JsonObject): boolean => isSuiteText(description);
const removeFromForeignLinks = (field: string): Interceptor => onForeignLinks(fieldRemover(field));
const changeUrl = (change: (url: string) => string): Interceptor =>
  onCreation(fieldConverter('url', (url) => change(String(url))));

/** Gives a new link the id of an earlier one with the same description, if there is one. */
function repeatIds(): Interceptor {
  const ids = new Map<unknown, unknown>();
  return onData('POST', linksPath, (link) => {
    const { description, id } = link;
    setFields(link, { id: ids.get(description) ?? id });
    ids.set(description, link['id']);
  });
}

/** Gives all new links whose descriptions have this end the URL of the first one. */
const repeatUrlOf = (descriptionEnd: string) => (): Interceptor => {
  const repeatUrl = firstValueRepeater('url');
  return onData('POST', linksPath, (link) => {
    if (String(link['description']).endsWith(descriptionEnd)) repeatUrl(link);
  });
};

/** Adds a suffix to the slug of a link if the slug of an earlier link begins with it. */
function addSuffixIfPrefixOfEarlierSlug(): Interceptor {
  const urls: string[] = [];
  return onData('POST', linksPath, (link) => {
    const url = String(link['url']);
    if (urls.some((earlier) => earlier.startsWith(url))) setFields(link, { url: `${url}-2` });
    urls.push(url);
  });
}

/** Changes the slug of one link: the one that has a description of at least 100 digits. */
const changeDigitSlug = (change: (digits: string) => string): Interceptor =>
  changeUrl((url) => url.replace(/\d{100,}/, change));

const withThousandsSeparator = (amount: unknown): unknown =>
  Number(amount) >= 1_000 ? Number(amount).toLocaleString('en-US') : amount;

/** Changes a field of the listed links that are selected by their `payments_count`. */
const changeLinksByPaymentsCount = (
  field: string,
  isSelected: (paymentsCount: unknown) => boolean,
  value: (record: JsonObject) => unknown,
): Interceptor =>
  onListed((record) => {
    if (isSelected(record['payments_count'])) setFields(record, { [field]: value(record) });
  });
const isUnpaid = (paymentsCount: unknown): boolean => paymentsCount === 0;
const isPaidOnce = (paymentsCount: unknown): boolean => paymentsCount === 1;

/** Replaces characters of four bytes in UTF-8, such as emoji, with question marks. */
const replaceFourByteCharacters = fieldConverter('description', (text) =>
  String(text).replace(/[\u{10000}-\u{10FFFF}]/gu, '?'),
);

/** Makes each link count the payments of all links with the same description, ignoring case. */
function countSameDescription(): Interceptor {
  const foldedDescription = ({ description }: JsonObject): string => String(description).toLowerCase();
  return onList(linksPath, (records) =>
    records.map((record) => {
      const linksWithSameDescription = records.filter(
        (other) => foldedDescription(other) === foldedDescription(record),
      );
      return {
        ...record,
        payments_count: linksWithSameDescription.reduce((sum, other) => sum + Number(other['payments_count']), 0),
      };
    }),
  );
}

/** Mutants of payment links, each with the id of the clause that must detect it. */
export const linkMutants: readonly Mutant[] = mutantsOf([
  [
    'LINK-CREATE-01',
    'Creating a link with a token that has both scopes fails with 500.',
    refuseFullToken('POST', linksPath, 500),
  ],
  ['LINK-CREATE-02', 'The `id` of a new link is a string.', onCreation(fieldConverter('id', String))],
  ['LINK-CREATE-03', 'The `url` of a new link is a path.', onCreation(fieldSetter({ url: '/pay/somewhere' }))],
  ['LINK-CREATE-04', 'The `description` of a new link is null.', onCreation(fieldSetter({ description: null }))],
  ['LINK-CREATE-05', 'The `amount` of a new link is in German format.', onCreation(fieldSetter({ amount: '19,99' }))],
  ['LINK-CREATE-06', 'The `currency` of a new link is a currency symbol.', onCreation(fieldSetter({ currency: '€' }))],
  [
    'LINK-CREATE-07',
    'The `created_at` of a new link has no offset.',
    onCreation(fieldSetter({ created_at: '2026-03-01T09:00:00' })),
  ],
  [
    'LINK-CREATE-08',
    'The description of a new link is escaped for HTML.',
    onCreation(fieldConverter('description', (text) => String(text).replaceAll('&', '&amp;'))),
  ],
  [
    'LINK-CREATE-09',
    'The amount of a new link is rounded.',
    onCreation(fieldConverter('amount', (amount) => Math.round(Number(amount)))),
  ],
  [
    'LINK-CREATE-10',
    'The default currency of a link is USD.',
    onRequestBody(fieldConverter('currency', (currency) => currency ?? 'USD')),
  ],
  ['LINK-CREATE-11', 'A new link is always in USD.', onCreation(fieldSetter({ currency: 'USD' }))],
  ['LINK-CREATE-12', 'A link with the description of an earlier link has the same `id`.', repeatIds],
  [
    'LINK-CREATE-13',
    'A link without a description is accepted.',
    onRequestBody((body) => body['description'] === undefined && setFields(body, { description: 'untitled' })),
  ],
  [
    'LINK-CREATE-14',
    'A link without an amount is accepted.',
    onRequestBody((body) => body['amount'] === undefined && setFields(body, { amount: 1 })),
  ],
  [
    'LINK-CREATE-15',
    'A word is accepted as an amount.',
    onRequestBody((body) => typeof body['amount'] === 'string' && setFields(body, { amount: 1 })),
  ],
  [
    'LINK-CREATE-16',
    'An object is accepted as a description.',
    onRequestBody((body) => isRecord(body['description']) && setFields(body, { description: '[object Object]' })),
  ],
  [
    'LINK-CREATE-17',
    'A currency is truncated to three letters.',
    onRequestBody(
      (body) => typeof body['currency'] === 'string' && setFields(body, { currency: body['currency'].slice(0, 3) }),
    ),
  ],
  [
    'LINK-CREATE-24',
    'An amount of null is accepted.',
    onRequestBody((body) => body['amount'] === null && setFields(body, { amount: 1 })),
  ],
  [
    'LINK-CREATE-25',
    'A description of null is accepted.',
    onRequestBody((body) => body['description'] === null && setFields(body, { description: 'untitled' })),
  ],
  [
    'LINK-CREATE-26',
    'An empty description is accepted.',
    onRequestBody((body) => body['description'] === '' && setFields(body, { description: 'untitled' })),
  ],
  [
    'LINK-CREATE-27',
    'A link is created from an empty array.',
    onRequestBody((body) => Object.keys(body).length === 0 && setFields(body, { description: 'untitled', amount: 1 })),
  ],
  [
    'LINK-CREATE-18',
    'The URL of every link has a different host.',
    onCreation((link) => setFields(link, { url: `https://pay${link['id']}.example/slug` })),
  ],
  [
    'LINK-CREATE-19',
    'The response to the creation of a link has `is_active`, which only lists have.',
    onCreation(fieldSetter({ is_active: true })),
  ],
  ['LINK-SLUG-01', 'The slug of a link is in upper case.', changeUrl((url) => url.toUpperCase())],
  [
    'LINK-SLUG-02',
    'The slug of the second link with a description ends with `-1`.',
    changeUrl((url) => url.replace(/-2$/, '-1')),
  ],
  [
    'LINK-SLUG-03',
    'The third link with a description gets the slug of the second.',
    changeUrl((url) => url.replace(/-3$/, '-2')),
  ],
  [
    'LINK-SLUG-04',
    'The slug of the third link with a description ends with `-22` instead of `-3`.',
    changeUrl((url) => url.replace(/-3$/, '-22')),
  ],
  [
    'LINK-CREATE-21',
    'In the description of a new link, characters of four bytes become question marks.',
    onCreation(replaceFourByteCharacters),
  ],
  ['LINK-CREATE-22', 'A new link is always in EUR.', onCreation(fieldSetter({ currency: 'EUR' }))],
  [
    'LINK-CREATE-23',
    'In the response to the creation of a link, a description that consists of digits becomes a number.',
    onCreation((link) => {
      const { description } = link;
      if (/^\d+$/.test(String(description))) setFields(link, { description: Number(description) });
    }),
  ],
  [
    'LINK-SLUG-05',
    'A link with the description `X-2` gets the slug `x-2`, which the second link with the description `X` already has.',
    changeUrl((url) => url.replace(/-2-2$/, '-2')),
  ],
  ['LINK-SLUG-11', 'Two links that are created concurrently have the same URL.', repeatUrlOf(concurrentDescriptionEnd)],
  [
    'LINK-SLUG-12',
    'A link gets the slug `x-2` although an earlier link has the description `X-2`.',
    changeUrl((url) => url.replace(new RegExp(`(${concurrentDescriptionEnd})-3$`, 'i'), '$1-2')),
  ],
  [
    'LINK-SLUG-13',
    'Only ASCII letters are lower-cased in slugs.',
    onCreation((link) => {
      const [letter] = /[À-Þ]/u.exec(String(link['description'])) ?? [];
      if (letter !== undefined) setFields(link, { url: `${link['url']}${letter}` });
    }),
  ],
  [
    'LINK-SLUG-14',
    'A slug gets a suffix only if a link has the same description, not if one has the same slug.',
    () => {
      const descriptionsByUrl = new Map<string, unknown>();
      return onData('POST', linksPath, (link) => {
        const { description } = link;
        const url = String(link['url']).replace(/-\d+$/, '');
        const earlier = descriptionsByUrl.get(url);
        if (earlier !== undefined && String(earlier).toLowerCase() !== String(description).toLowerCase())
          setFields(link, { url });
        else descriptionsByUrl.set(url, description);
      });
    },
  ],
  ['LINK-SLUG-06', 'A link gets the URL of the paid link with the same description.', repeatUrlOf(paidDescription)],
  ['LINK-SLUG-07', 'A slug counts as taken if an earlier slug merely begins with it.', addSuffixIfPrefixOfEarlierSlug],
  [
    'LINK-SLUG-08',
    'The slug of every description without Latin letters or digits is empty.',
    onCreation((link) => {
      if (!/[a-z\d]/i.test(String(link['description'])))
        setFields(link, { url: new URL('/', String(link['url'])).href });
    }),
  ],
  ['LINK-SLUG-09', 'A slug that consists of digits gets a prefix.', changeDigitSlug((digits) => `link-${digits}`)],
  ['LINK-SLUG-10', 'Slugs are truncated to 60 characters.', changeDigitSlug((digits) => digits.slice(0, 60))],
  [
    'LINK-LIST-21',
    'New links are listed with a wrong `id`.',
    onListed((record) => isCreatedBySuite(record) && setUnusedId(record)),
  ],
  ['LINK-LIST-22', 'Older links are listed without `id`.', removeFromForeignLinks('id')],
  ['LINK-LIST-23', 'Older links are listed without `url`.', removeFromForeignLinks('url')],
  ['LINK-LIST-24', 'Older links are listed without `description`.', removeFromForeignLinks('description')],
  ['LINK-LIST-25', 'Older links are listed without `amount`.', removeFromForeignLinks('amount')],
  ['LINK-LIST-26', 'Older links are listed without `currency`.', removeFromForeignLinks('currency')],
  ['LINK-LIST-27', 'Older links are listed without `created_at`.', removeFromForeignLinks('created_at')],
  ['LINK-LIST-28', 'Older links are listed without `payments_count`.', removeFromForeignLinks('payments_count')],
  ['LINK-LIST-29', 'Older links are listed without `revenue`.', removeFromForeignLinks('revenue')],
  [
    'LINK-LIST-30',
    '`is_active` of older links is a number.',
    onForeignLinks(fieldConverter('is_active', (isActive) => (isActive ? 1 : 0))),
  ],
  ['LINK-LIST-31', 'Links are listed with a wrong `url`.', onListed(fieldConverter('url', (url) => `${url}-9`))],
  [
    'LINK-LIST-32',
    'Descriptions of links are truncated in the list.',
    onListed(fieldConverter('description', (text) => String(text).slice(0, 10))),
  ],
  [
    'LINK-LIST-33',
    'Amounts of links are listed in cents.',
    onListed(fieldConverter('amount', (amount) => Number(amount) * 100)),
  ],
  ['LINK-LIST-34', 'Links are listed in USD.', onListed(fieldSetter({ currency: 'USD' }))],
  [
    'LINK-LIST-35',
    'Links are listed as created in 2020.',
    onListed(fieldSetter({ created_at: '2020-01-01T00:00:00Z' })),
  ],
  ['LINK-LIST-36', 'A new link counts as paid once.', changeLinksByPaymentsCount('payments_count', isUnpaid, () => 1)],
  [
    'LINK-LIST-37',
    'The `revenue` of a new link is its amount.',
    changeLinksByPaymentsCount('revenue', isUnpaid, (record) => record['amount']),
  ],
  ['LINK-LIST-38', 'A new link is not active.', changeLinksByPaymentsCount('is_active', isUnpaid, () => false)],
  [
    'LINK-LIST-39',
    'Payments of a link are not counted.',
    changeLinksByPaymentsCount('payments_count', isPaidOnce, () => 0),
  ],
  [
    'LINK-LIST-40',
    'Payments of a link do not count as revenue.',
    changeLinksByPaymentsCount('revenue', isPaidOnce, () => 0),
  ],
  ['LINK-LIST-41', 'The `total` of links never changes.', () => onData('GET', linksPath, firstValueRepeater('total'))],
  ['LINK-LIST-42', 'A payment counts toward all links with the same description.', countSameDescription],
  [
    'LINK-LIST-43',
    'In listed descriptions, characters of four bytes become question marks.',
    onListed(replaceFourByteCharacters),
  ],
  ['LINK-LIST-44', 'All links are listed in EUR.', onListed(fieldSetter({ currency: 'EUR' }))],
  [
    'LINK-LIST-45',
    'In the list, amounts of 1,000 and more have a thousands separator.',
    onListed(fieldConverter('amount', withThousandsSeparator)),
  ],
  [
    'LINK-LIST-46',
    'Links in a currency other than EUR are not listed.',
    onList(linksPath, (records) => records.filter(({ currency }) => currency === 'EUR')),
  ],
  [
    'LINK-LIST-47',
    'A new link is listed a second time, with another `id`.',
    listSecondCopy(linksPath, isCreatedBySuite),
  ],
  [
    'LINK-LIST-48',
    'Revenue of 1,000 and more is shown without its thousands.',
    onListed(fieldConverter('revenue', (revenue) => Number(revenue) % 1_000)),
  ],
  [
    'LINK-LIST-49',
    'The `payments_count` of a link that was paid is always 1.',
    onListed((record) => setFields(record, { payments_count: Math.min(Number(record['payments_count']), 1) })),
  ],
  [
    'LINK-LIST-50',
    'The `revenue` of a link that was paid is always its amount.',
    onListed((record) => setFields(record, { revenue: Math.min(Number(record['revenue']), Number(record['amount'])) })),
  ],
  [
    'LINK-LIST-51',
    'Links whose amount is an integer are listed as inactive.',
    onListed((record) =>
      setFields(record, { is_active: record['is_active'] === true && !Number.isInteger(record['amount']) }),
    ),
  ],
]);
