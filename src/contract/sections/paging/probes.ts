import { activeProbe, NoMatchingChoice, type Probe, passiveProbe } from '../../calibrate/probe.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, recordsAt, requireSuccess, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { formatExactJson } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { findLargestAccepted, isAccepted, noMatchingChoiceFor, tryCreateLink } from '../attempts.js';
import { requireRecord } from '../created-records.js';
import { filteredDeposits, newDeposit } from '../deposits/setups.js';
import { depositsAfterReplay, otherKeyCreation } from '../idempotency/setups.js';
import { someInvoice } from '../invoice-creation/setups.js';
import { letterCaseLink, linksPage, newLink, sameDescriptionLink } from '../payment-links/setups.js';
import { listedPayments } from '../payments/setups.js';
import { successesSoFar } from '../responses.js';
import { findInList, isFound, toListPage } from './setups.js';

/** Documented default and maximum of `per_page` for all lists except deposits. */
const documentedDefault = 25;
const documentedMaximum = 100;

/** Highest value that a profile may give as the maximum page size of deposits. */
const largestProfilePageSize = 1_000;

/** Lists without a documented parameter `page`: all except the list of invoices. */
const listsWithoutPageParameter = [
  { path: '/payment-links', operation: 'listPaymentLinks' },
  { path: '/payments', operation: 'listPayments' },
  { path: '/deposits', operation: 'listDeposits' },
] as const;

function pageSizeOf({ json }: Exchange): number | undefined {
  return decimalOf(valueAt(json, 'data.per_page'));
}

/** Ids of the first two records of a list; undefined if it has fewer. */
async function readFirstTwoIds(context: ClauseContext, path: string): Promise<[unknown, unknown] | undefined> {
  const [first, second] = recordsAt(requireSuccess(await context.get(`${path}?per_page=2`)).json, 'data.data');
  return first && second ? [first['id'], second['id']] : undefined;
}

/** Maximum number of attempts to read a list that other clients keep changing. */
const maxAttempts = 3;

/** True if a list supports `page`; undefined if it has fewer than two records, or other clients keep adding records. */
async function supportsPage(context: ClauseContext, path: string): Promise<boolean | undefined> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const ids = await readFirstTwoIds(context, path);
    if (!ids) return undefined;
    const idOnPage2 = valueAt(requireSuccess(await context.get(`${path}?per_page=1&page=2`)).json, 'data.data.0.id');
    const isUnchanged = formatExactJson(await readFirstTwoIds(context, path)) === formatExactJson(ids);
    if (isUnchanged && ids.includes(idOnPage2)) return idOnPage2 === ids[1];
  }
  return undefined;
}

/** Largest accepted `per_page` of deposits, for a target that refuses `largestProfilePageSize + 1`. */
async function findLargestAcceptedDepositPageSize(context: ClauseContext): Promise<number> {
  const accepts = async (size: number): Promise<boolean> => isAccepted(await context.get(`/deposits?per_page=${size}`));
  if (await accepts(largestProfilePageSize)) return largestProfilePageSize;
  if ((await accepts(documentedMaximum)) && !(await accepts(documentedMaximum + 1))) return documentedMaximum;
  return findLargestAccepted(0, largestProfilePageSize, accepts);
}

/**
 * Maximum page size of deposits, whether larger values are refused, clamped or replaced with the default; undefined if a
 * profile cannot express it.
 */
async function findMaximumDepositPageSize(context: ClauseContext, defaultSize: number): Promise<number | undefined> {
  const pageBeyondProfile = await context.get(`/deposits?per_page=${largestProfilePageSize + 1}`);
  if (!isAccepted(pageBeyondProfile)) return findLargestAcceptedDepositPageSize(context);
  const size = pageSizeOf(pageBeyondProfile);
  if (size === undefined || size > largestProfilePageSize) return undefined;
  const takesEffect = async (requestedSize: number): Promise<boolean> =>
    pageSizeOf(requireSuccess(await context.get(`/deposits?per_page=${requestedSize}`))) === requestedSize;
  // The default shows the maximum only if a size that is larger by one has no effect, either.
  return size === defaultSize && (await takesEffect(defaultSize + 1))
    ? findLargestAccepted(defaultSize + 1, largestProfilePageSize + 1, takesEffect)
    : size;
}

/** Probes for the gaps about lists and their pages. */
export const pageProbes: readonly Probe[] = [
  activeProbe({
    gap: 'query.empty',
    findChoice: async (context) => {
      // Makes a payment if possible: in an account without any, every filter finds nothing.
      await ifPossible(context.use(listedPayments));
      const withEmptyStatus = await context.get('/payments?status=');
      if (isAccepted(withEmptyStatus)) {
        if (toListPage(withEmptyStatus).records.length > 0) return 'omitted';
        if (toListPage(await context.get('/payments')).records.length > 0)
          return new NoMatchingChoice('`status=` is accepted, and finds no payment');
        throw new Skip({
          missing: 'a payment',
          reason: '`status=` is accepted, but the account has no payments to find',
        });
      }
      // A target with the choice `literal` refuses an empty status, since no status is empty, but accepts an empty
      // description, which every description contains.
      return isAccepted(await context.get('/payments?description=')) ? 'literal' : 'refused';
    },
  }),
  activeProbe({
    gap: 'page.over-maximum',
    evidenceFields: ['per_page'],
    findChoice: async (context) => {
      const page = await context.get(`/invoices?per_page=${documentedMaximum + 1}`);
      if (!isAccepted(page)) return 'refused';
      return pageSizeOf(page) === documentedMaximum
        ? 'clamped'
        : new NoMatchingChoice(valueAt(page.json, 'data.per_page'));
    },
  }),
  activeProbe({
    gap: 'page.invalid',
    evidenceFields: ['per_page', 'current_page'],
    findChoice: async (context) => {
      const zeroSizeResponse = await context.get('/invoices?per_page=0');
      const wordPageResponse = await context.get('/invoices?page=abc');
      const [acceptsZeroSize, acceptsWordPage] = [isAccepted(zeroSizeResponse), isAccepted(wordPageResponse)];
      if (!acceptsZeroSize && !acceptsWordPage) return 'refused';
      const usesDefaults =
        pageSizeOf(zeroSizeResponse) === documentedDefault && valueAt(wordPageResponse.json, 'data.current_page') === 1;
      return acceptsZeroSize && acceptsWordPage && usesDefaults
        ? 'default'
        : new NoMatchingChoice([zeroSizeResponse.status, wordPageResponse.status]);
    },
  }),
  activeProbe({
    gap: 'page.beyond-end',
    evidenceFields: ['current_page', 'data'],
    findChoice: async (context) => {
      // There must be an invoice: the last page of an empty list would also look like the choice `empty`.
      await context.use(someInvoice);
      const page = await context.get('/invoices?page=1000000');
      if (page.status === 404) return '404';
      const recordCount = isAccepted(page) ? toListPage(page).records.length : undefined;
      if (page.status === 200 && recordCount === 0) return 'empty';
      const [current, last] = [valueAt(page.json, 'data.current_page'), valueAt(page.json, 'data.last_page')];
      if (page.status === 200 && Number.isInteger(last) && current === last) return 'last-page';
      return noMatchingChoiceFor(page);
    },
  }),
  // About the field `last_page` in the lists for which it is not documented.
  {
    ...passiveProbe({
      gap: 'page.last-page-everywhere',
      evidenceFields: ['last_page'],
      findChoice: async (context) => {
        for (const list of [linksPage, listedPayments, depositsAfterReplay]) await context.runIfPossible(list);
        const lists = listsWithoutPageParameter.map(({ path, operation }) => {
          const page = successesSoFar(context, operation).at(-1);
          if (!page) throw new Skip({ missing: `a page of GET ${path}`, reason: 'none was read' });
          return page;
        });
        context.recordEvidence(...lists);
        const presentCount = lists.filter(({ json }) => valueAt(json, 'data.last_page') !== undefined).length;
        if (presentCount === lists.length) return 'present';
        return presentCount === 0 ? 'absent' : new NoMatchingChoice(`${presentCount} of ${lists.length} lists have it`);
      },
    }),
    readsEarlierResponses: true,
  },
  // About the parameter `page` of the lists for which it is not documented.
  activeProbe({
    gap: 'page.page-everywhere',
    evidenceFields: ['current_page', 'id'],
    findChoice: async (context) => {
      // Creates at least two links and two deposits.
      await ifPossible(context.use(sameDescriptionLink));
      await ifPossible(context.use(otherKeyCreation));
      const supportByList: boolean[] = [];
      for (const { path } of listsWithoutPageParameter) {
        const isSupported = await supportsPage(context, path);
        if (isSupported !== undefined) supportByList.push(isSupported);
      }
      if (supportByList.length === 0)
        throw new Skip({
          missing: 'a list with two records',
          reason: 'there is none, or other clients keep adding records',
        });
      if (!supportByList.includes(false)) return 'honoured';
      return supportByList.includes(true) ? new NoMatchingChoice('some lists support it') : 'ignored';
    },
  }),
  activeProbe({
    gap: 'list.order',
    evidenceFields: ['id'],
    findChoice: async (context) => {
      const createdLinks = [(await context.use(newLink)).record, (await context.use(letterCaseLink)).record];
      // With only two links, either order would match a choice.
      for (let extra = 1; extra <= 3; extra++) createdLinks.push(requireRecord(await tryCreateLink(context, {})));
      const idsByCreation = createdLinks.map(({ id }) => id);
      const location = await findInList(context, '/payment-links', ({ id }) => id === idsByCreation.at(-1));
      if (!isFound(location)) throw new Blocked('the link is not on the pages that were searched');
      const ids = recordsAt(location.exchange.json, 'data.data').map(({ id }) => id);
      const listedIds = ids.filter((id) => idsByCreation.includes(id));
      if (listedIds.length < idsByCreation.length) {
        throw new Blocked('the links that were created one after another are not on one page', location.exchange);
      }
      if (listedIds.join() === idsByCreation.join()) return 'oldest-first';
      return listedIds.join() === idsByCreation.toReversed().join()
        ? 'newest-first'
        : new NoMatchingChoice('another order');
    },
  }),
  activeProbe({
    gap: 'deposit.booking-filter',
    evidenceFields: ['booking_reference'],
    findChoice: async (context) => {
      const { reference } = await context.use(newDeposit);
      const isFoundBy = async (text: string): Promise<boolean> =>
        (await filteredDeposits(context, { booking_reference: text })).records.length > 0;
      // If not even the whole reference finds the deposit, the filter shows nothing. A list may be updated late.
      if (!(await eventually(context, () => isFoundBy(reference), Boolean)))
        throw new Blocked('the list does not contain the deposit of the booking');
      // Without its first and last character, the part is neither a prefix nor a suffix of the reference.
      const part = reference.slice(1, -1);
      if (await isFoundBy(part.toUpperCase())) return 'partial';
      if (await isFoundBy(part)) return new NoMatchingChoice('by a part of the reference, case-sensitive');
      if (await isFoundBy(reference.slice(0, -1))) return new NoMatchingChoice('by the beginning of the reference');
      return (await isFoundBy(reference.toUpperCase()))
        ? new NoMatchingChoice('by the whole reference, ignoring case')
        : 'exact';
    },
  }),
  activeProbe({
    gap: 'deposit.per-page',
    evidenceFields: ['per_page'],
    findChoice: async (context) => {
      const defaultSize = pageSizeOf(requireSuccess(await context.get('/deposits')));
      if (defaultSize === undefined)
        throw new Skip({ missing: '`per_page`', reason: 'pages of deposits do not show it' });
      const maximum = await findMaximumDepositPageSize(context, defaultSize);
      if (maximum === undefined) return new NoMatchingChoice(`\`per_page=${largestProfilePageSize + 1}\` is accepted`);
      return defaultSize === documentedDefault && maximum === documentedMaximum
        ? '25-of-100'
        : { bounds: { default: defaultSize, maximum } };
    },
  }),
];
