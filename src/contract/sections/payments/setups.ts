import { eventually } from '../../engine/eventually.js';
import { aTimestamp, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import type { Place } from '../fields.js';
import type { Created, Row } from '../invoice-creation/setups.js';
import { growthOf, laterRows } from '../overdue/setups.js';
import { findRow, places, rowsPage } from '../paging/setups.js';
import { foreignLink, oddLink, otherCaseLink, paidLink, plainLink } from '../payment-links/setups.js';
import { isSame } from '../same-fields.js';
import { webhooks } from '../webhook-receiver.js';

export const paymentStatuses = ['paid', 'open', 'pending', 'failed'] as const;

/** Position in the list of the payment for the paid link, once it is listed as `paid`. */
export const foundPayment = setup('the payment of a link', async (context) => {
  const { record, body } = await context.use(paidLink);
  return eventually(
    context,
    () => findPayment(context, { ...record, description: body['description'] }),
    (place) => typeof place === 'object' && valueAt(place.page.json, `${place.at}.status`) === 'paid',
  );
});

/** Searches by description, which is usually that of the link; otherwise by the link itself. */
async function findPayment(context: ClauseContext, link: Row): Promise<Place | 'absent' | 'elsewhere'> {
  const { id, url, description } = link;
  const isMatch = (row: Row): boolean => row['description'] === description || row['payment_link_url'] === url;
  const found = await findRow(context, `/payments?description=${encodeURIComponent(String(description))}`, isMatch);
  if (typeof found === 'object') return found;
  return findRow(context, '/payments', (row) => isMatch(row) || row['payment_link_id'] === id);
}

/** The payment of the paid link. @throws Blocked if the list does not contain it */
export const ownPayment = setup('the payment of a link', async (context): Promise<Place> => {
  const found = await context.use(foundPayment);
  if (typeof found !== 'object') throw new Blocked('the list does not have the payment of the link that was paid');
  return found;
});

/** First page of the payments, after the driver made the first one. */
export const paymentsAnswer = setup('the payments', async (context) => {
  if (canPay(context)) await context.use(foundPayment);
  return context.get('/payments?per_page=100');
});
const paymentsPage = setup('the payments', async (context) => rowsPage(await context.use(paymentsAnswer)));

/** Every payment on that page. */
export const listedPayments = setup('the payments', async (context): Promise<readonly Place[]> => {
  const found = places(await context.use(paymentsPage));
  if (found.length === 0) {
    await orSkip(context);
    throw new Skip('records', 'the account has no payment');
  }
  return found;
});

/** Payment to try filters on: one of the suite's, or an existing one. */
export interface Sample {
  readonly id: unknown;
  readonly status: string;
  /** A part of its description: ASCII letters, digits, spaces and dashes. */
  readonly text: string;
  /** Days safely before and after all its timestamps: `YYYY-MM-DD`. */
  readonly before: string;
  readonly after: string;
}

export const samplePayment = setup('a payment', async (context): Promise<Sample> => {
  if (canPay(context)) {
    const { page, at } = await context.use(ownPayment);
    const own = sampleOf(valueAt(page.json, at));
    if (own) return own;
    throw new Blocked('the payment of the link has no dates, no status or no description', page);
  }
  // Which date filters compare is open, and an unpaid payment may have only one.
  const { rows } = await context.use(paymentsPage);
  for (const row of rows) {
    const sample = row['status'] === 'paid' ? sampleOf(row) : undefined;
    if (sample) return sample;
  }
  await orSkip(context);
  throw new Skip('records', 'the account has no payment that is paid');
});

/** Makes three payments. */
export const threePayments = setup('three payments', async (context) => {
  await context.use(foundPayment);
  for (const link of [plainLink, otherCaseLink]) await context.drive('payLink', (await context.use(link)).record);
});

/** Pays a link, after the payments were read. */
function paid(link: Setup<Created>): Setup<Created & { readonly at: number }> {
  return setup(`${link.name}, paid`, async (context) => {
    // Reports a missing driver method before anything is created.
    if (!context.session.driver.payLink) await context.drive('payLink', {});
    await context.after(webhooks);
    await context.use(paymentsPage);
    const made = await context.use(link);
    const at = Date.now();
    await context.drive('payLink', made.record);
    return { ...made, at };
  });
}

export const paidOddLink = paid(oddLink);
const paidForeignLink = paid(foreignLink);

/** The payments before and after more were created. */
export const paymentGrowth = setup('the payments, later', async (context) => {
  const before = await context.use(paymentsPage);
  await context.use(paidOddLink);
  const foreign = await ifPossible(context.use(paidForeignLink));
  return growthOf(context, before, foreign ? 2 : 1);
});

const findLater = laterRows(paymentGrowth);

function paymentOf(link: Setup<Created>): Setup<Place> {
  return setup(`the payment of ${link.name}`, async (context) => {
    const { record } = await context.use(link);
    return findLater(context, (row) => isSame(row['payment_link_id'], record['id']));
  });
}

export const oddPayment = paymentOf(paidOddLink);
export const foreignPayment = paymentOf(paidForeignLink);

/** A sample with the part of its description that filters must clearly match. */
export const oddSample = setup('a payment with an odd text', async (context): Promise<Sample> => {
  const { body } = await context.use(paidOddLink);
  const { page, at } = await context.use(oddPayment);
  const payment = valueAt(page.json, at);
  const shown = String(valueAt(payment, 'description')).normalize();
  if (!shown.includes(String(body['description']).normalize())) {
    throw new Blocked('the payment does not have the description of its link in its own', page);
  }
  const own = sampleOf(payment);
  if (!own) throw new Blocked('the payment of the link has no dates or no status', page);
  return own;
});

const day = 86_400_000;

function sampleOf(row: unknown): Sample | undefined {
  const [id, status, description] = ['id', 'status', 'description'].map((name) => valueAt(row, name));
  const times = ['created_at', 'paid_at'].map((name) => valueAt(row, name)).filter((time) => aTimestamp.matches(time));
  const moments = times.map((time) => Date.parse(String(time)));
  const [text = ''] = (String(description).match(/[a-z0-9](?:[a-z0-9 -]*[a-z0-9])?/gi) ?? []).sort(
    (one, other) => other.length - one.length,
  );
  if (typeof status !== 'string' || moments.length === 0 || text.length < 4) return undefined;
  return {
    id,
    status,
    text,
    before: new Date(Math.min(...moments) - 3 * day).toISOString().slice(0, 10),
    after: new Date(Math.max(...moments) + 3 * day).toISOString().slice(0, 10),
  };
}

function canPay({ session }: ClauseContext): boolean {
  return session.target.options.mayWrite && session.driver.payLink !== undefined;
}

/** @throws Skip with the reason why no payment can be made */
async function orSkip(context: ClauseContext): Promise<void> {
  if (!canPay(context)) await context.use(paidLink);
}
