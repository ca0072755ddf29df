import { activeProbe, type Probe, passiveProbe, Unlisted } from '../../calibrate/probe.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, recordsAt, succeeded, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { jsonText } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import { isAccepted, largest, tryLink } from '../attempts.js';
import { newDeposit } from '../deposits/setups.js';
import { afterReplay, otherKey } from '../idempotency/setups.js';
import { recordOf, someInvoice } from '../invoice-creation/setups.js';
import { linksPage, newLink, otherCaseLink, sameLink } from '../payment-links/setups.js';
import { listedPayments } from '../payments/setups.js';
import { findRow, rowsPage } from './setups.js';

/** Documented maximum of `per_page` for all lists except deposits. */
const maximum = 100;

/** Largest `per_page` for deposits that a profile can name. */
const largestPage = 1_000;

/** Lists that are documented in less detail than the invoice list. */
const others = ['/payment-links', '/payments', '/deposits'];

function sizeOf({ json }: Exchange): number | undefined {
  return decimalOf(valueAt(json, 'data.per_page'));
}

/** First two records of a list, if it has as many. */
async function topTwo(context: ClauseContext, path: string): Promise<[unknown, unknown] | undefined> {
  const [first, second] = recordsAt(succeeded(await context.get(`${path}?per_page=2`)).json, 'data.data');
  return first && second ? [first['id'], second['id']] : undefined;
}

/** Attempts to read a list that other clients change. */
const looks = 3;

/** Whether a list supports `page`; undefined if it has fewer than two records, or keeps changing. */
async function supportsPage(context: ClauseContext, path: string): Promise<boolean | undefined> {
  for (let look = 1; look <= looks; look++) {
    const before = await topTwo(context, path);
    if (!before) return undefined;
    const id = valueAt(succeeded(await context.get(`${path}?per_page=1&page=2`)).json, 'data.data.0.id');
    const isAtRest = jsonText(await topTwo(context, path)) === jsonText(before);
    if (isAtRest && before.includes(id)) return id === before[1];
  }
  return undefined;
}

/** Largest accepted `per_page` of deposits, if larger values are refused; undefined if no profile can name it. */
async function largestDepositsPage(context: ClauseContext): Promise<number | undefined> {
  const isIn = async (size: number): Promise<boolean> => isAccepted(await context.get(`/deposits?per_page=${size}`));
  if (await isIn(largestPage + 1)) return undefined;
  if (await isIn(largestPage)) return largestPage;
  if ((await isIn(maximum)) && !(await isIn(maximum + 1))) return maximum;
  return largest(0, largestPage, isIn);
}

/** Largest page of deposits, whether larger values are refused or clamped. */
async function depositsMaximum(context: ClauseContext): Promise<number | undefined> {
  const beyond = await context.get(`/deposits?per_page=${largestPage + 1}`);
  if (!isAccepted(beyond)) return largestDepositsPage(context);
  const size = sizeOf(beyond);
  return size !== undefined && size <= largestPage ? size : undefined;
}

/** Lists and their pages. */
export const pageProbes: readonly Probe[] = [
  activeProbe('query.empty', async (context) => {
    if (isAccepted(await context.get('/payments?status='))) return 'omitted';
    // No payment has an empty status, while an empty text may match any description.
    return isAccepted(await context.get('/payments?description=')) ? 'literal' : 'refused';
  }),
  activeProbe(
    'page.over-maximum',
    async (context) => {
      const page = await context.get(`/invoices?per_page=${maximum + 1}`);
      if (!isAccepted(page)) return 'refused';
      return sizeOf(page) === maximum ? 'clamped' : new Unlisted(valueAt(page.json, 'data.per_page'));
    },
    'per_page',
  ),
  activeProbe(
    'page.invalid',
    async (context) => {
      const answers = [await context.get('/invoices?per_page=0'), await context.get('/invoices?page=abc')];
      const [size, page] = answers.map(isAccepted);
      if (!size && !page) return 'refused';
      const [first, second] = answers.map(({ json }) => json);
      const isDefault = valueAt(first, 'data.per_page') === 25 && valueAt(second, 'data.current_page') === 1;
      return size && page && isDefault ? 'default' : new Unlisted(answers.map(({ status }) => status));
    },
    'per_page',
    'current_page',
  ),
  activeProbe(
    'page.beyond-end',
    async (context) => {
      // An empty list has no page that could be returned instead of one beyond its end.
      await context.use(someInvoice);
      const page = await context.get('/invoices?page=1000000');
      if (page.status === 404) return '404';
      const rows = isAccepted(page) ? rowsPage(page).rows.length : undefined;
      if (page.status === 200 && rows === 0) return 'empty';
      const [number, last] = [valueAt(page.json, 'data.current_page'), valueAt(page.json, 'data.last_page')];
      if (page.status === 200 && Number.isInteger(last) && number === last) return 'last-page';
      return new Unlisted(`${page.status} ${page.text.slice(0, 200)}`);
    },
    'current_page',
    'data',
  ),
  passiveProbe(
    'page.last-page-everywhere',
    async (context) => {
      const { page: links } = await context.use(linksPage);
      const payments = (await ifPossible(context.use(listedPayments)))?.[0]?.page;
      const deposits = (await ifPossible(context.use(afterReplay)))?.page;
      const known = [links, payments, deposits].filter((page) => page !== undefined);
      const withFields = known.filter(({ json }) => valueAt(json, 'data.last_page') !== undefined).length;
      if (withFields === known.length) return 'present';
      return withFields === 0 ? 'absent' : new Unlisted(`${withFields} of ${known.length} lists have it`);
    },
    'last_page',
  ),
  activeProbe(
    'page.page-everywhere',
    async (context) => {
      // At least two links and two deposits.
      await ifPossible(context.use(sameLink));
      await ifPossible(context.use(otherKey));
      const supported: boolean[] = [];
      for (const path of others) {
        const isSupported = await supportsPage(context, path);
        if (isSupported !== undefined) supported.push(isSupported);
      }
      if (supported.length === 0)
        throw new Skip('a list with two records', 'there is none, or others add to it all the time');
      if (supported.every((one) => one)) return 'honoured';
      return supported.some((one) => one) ? new Unlisted('some lists heed it') : 'ignored';
    },
    'current_page',
    'id',
  ),
  activeProbe(
    'list.order',
    async (context) => {
      const made = [(await context.use(newLink)).record, (await context.use(otherCaseLink)).record];
      for (let more = 1; more <= 3; more++) made.push(recordOf(await tryLink(context, {})));
      const inOrder = made.map(({ id }) => id);
      const place = await findRow(context, '/payment-links', ({ id }) => id === inOrder.at(-1));
      if (typeof place !== 'object') throw new Blocked('the link is on no page that was looked at');
      const ids = recordsAt(place.page.json, 'data.data').map(({ id }) => id);
      const listed = ids.filter((id) => inOrder.includes(id));
      if (listed.length < inOrder.length) throw new Blocked('links in succession are not on one page', place.page);
      if (listed.join() === inOrder.join()) return 'oldest-first';
      return listed.join() === inOrder.reverse().join() ? 'newest-first' : new Unlisted('none of these orders');
    },
    'id',
  ),
  activeProbe(
    'deposit.booking-filter',
    async (context) => {
      const { reference } = await context.use(newDeposit);
      const part = reference.slice(0, -1).toUpperCase();
      const page = succeeded(await context.get(`/deposits?booking_reference=${encodeURIComponent(part)}`));
      return recordsAt(page.json, 'data.data').length === 0 ? 'exact' : 'partial';
    },
    'booking_reference',
  ),
  activeProbe(
    'deposit.per-page',
    async (context) => {
      const usual = sizeOf(succeeded(await context.get('/deposits')));
      if (usual === undefined) throw new Skip('`per_page`', 'pages of deposits do not show it');
      const maximumShown = await depositsMaximum(context);
      if (maximumShown === undefined) return new Unlisted(`a page of ${largestPage + 1} is given`);
      return usual === 25 && maximumShown === maximum
        ? '25-of-100'
        : { bounds: { default: usual, maximum: maximumShown } };
    },
    'per_page',
  ),
];
