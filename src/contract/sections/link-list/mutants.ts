import type { JsonObject } from '../../engine/json.js';
import type { Interceptor } from '../../mutation/interceptor.js';
import {
  fieldConverter,
  fieldRemover,
  fieldSetter,
  firstValueRepeater,
  isSuiteText,
  onData,
  onList,
  onRecords,
  replaceFourByteCharacters,
  replaceLastWithCopy,
  setUnusedId,
  withThousandsSeparator,
} from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { listMutants } from '../paging/mutants.js';

const linksPath = '/payment-links';

/** Changes each link of the list. */
const onListed = (change: (record: JsonObject) => unknown): Interceptor => onRecords(linksPath, change);
/** Changes only links that the suite did not create, since other clauses check those that the suite created. */
const onForeignLinks = (change: (record: JsonObject) => void): Interceptor =>
  onListed((record) => {
    if (!isCreatedBySuite(record)) change(record);
  });
const isCreatedBySuite = ({ description }: JsonObject): boolean => isSuiteText(description);
const removeFromForeignLinks = (field: string): Interceptor => onForeignLinks(fieldRemover(field));

/** Changes a field of the listed links that are selected by their `payments_count`. */
const changeLinksByPaymentsCount = (
  field: string,
  isSelected: (paymentsCount: unknown) => boolean,
  value: (record: JsonObject) => unknown,
): Interceptor =>
  onListed((record) => {
    if (isSelected(record['payments_count'])) Object.assign(record, { [field]: value(record) });
  });
const isUnpaid = (paymentsCount: unknown): boolean => paymentsCount === 0;
const isPaidOnce = (paymentsCount: unknown): boolean => paymentsCount === 1;

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

/** Mutants for the clauses about the list of payment links (LINK-LIST). */
export const linkListMutants: readonly MutantRow[] = [
  ...listMutants({ prefix: 'LINK-LIST', path: linksPath, plural: 'payment links', hasPageSizeLimits: true }),
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
    'In listed descriptions, four-byte characters become question marks.',
    onListed(fieldConverter('description', replaceFourByteCharacters)),
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
    replaceLastWithCopy(linksPath, isCreatedBySuite),
  ],
  [
    'LINK-LIST-48',
    'Revenue of 1,000 and more is shown without its thousands.',
    onListed(fieldConverter('revenue', (revenue) => Number(revenue) % 1_000)),
  ],
  [
    'LINK-LIST-49',
    'The `payments_count` of a link that was paid is always 1.',
    onListed((record) => Object.assign(record, { payments_count: Math.min(Number(record['payments_count']), 1) })),
  ],
  [
    'LINK-LIST-50',
    'The `revenue` of a link that was paid is always its amount.',
    onListed((record) =>
      Object.assign(record, { revenue: Math.min(Number(record['revenue']), Number(record['amount'])) }),
    ),
  ],
  [
    'LINK-LIST-51',
    'Links whose amount is an integer are listed as inactive.',
    onListed((record) =>
      Object.assign(record, { is_active: record['is_active'] === true && !Number.isInteger(record['amount']) }),
    ),
  ],
];
