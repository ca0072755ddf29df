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

/** Where the payment of the link that was paid is in the list, once it is there and says `paid`. */
export const foundPayment = setup('the payment of a link', async (context) => {
  const { record, body } = await context.use(paidLink);
  return eventually(
    context,
    () => findPayment(context, { ...record, description: body['description'] }),
    (place) => typeof place === 'object' && valueAt(place.page.json, `${place.at}.status`) === 'paid',
  );
});

/** By its description, which is that of the link normally; if that does not find it, by the link itself. */
async function findPayment(context: ClauseContext, link: Row): Promise<Place | 'absent' | 'elsewhere'> {
  const { id, url, description } = link;
  const isIt = (row: Row): boolean => row['description'] === description || row['payment_link_url'] === url;
  const found = await findRow(context, `/payments?description=${encodeURIComponent(String(description))}`, isIt);
  if (typeof found === 'object') return found;
  return findRow(context, '/payments', (row) => isIt(row) || row['payment_link_id'] === id);
}

/** The payment of the link that was paid. @throws Blocked unless the list has it */
export const ownPayment = setup('the payment of a link', async (context): Promise<Place> => {
  const found = await context.use(foundPayment);
  if (typeof found !== 'object') throw new Blocked('the list does not have the payment of the link that was paid');
  return found;
});

/** The first page of the payments, read after the driver made the first one. */
export const paymentsAnswer = setup('the payments', async (context) => {
  if (canPay(context)) await context.use(foundPayment);
  return context.get('/payments?per_page=100');
});
const paymentsPage = setup('the payments', async (context) => rowsPage(await context.use(paymentsAnswer)));

/** Every payment of that page. */
export const listedPayments = setup('the payments', async (context): Promise<readonly Place[]> => {
  const found = places(await context.use(paymentsPage));
  if (found.length === 0) {
    await orSkip(context);
    throw new Skip('records', 'the account has no payment');
  }
  return found;
});

/** A payment that the filters are tried on: one of the suite's, or one that is there. */
export interface Sample {
  readonly id: unknown;
  readonly status: string;
  /** A part of its description, of letters, digits, spaces and dashes of ASCII. */
  readonly text: string;
  /** The day some days before, and that some days after, everything that has happened to it: `YYYY-MM-DD`. */
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
  // Which date filters compare is open, and what is unpaid may have but one.
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

/** Pays a link, after the payments were looked at. */
function paid(link: Setup<Created>): Setup<Created & { readonly at: number }> {
  return setup(`${link.name}, paid`, async (context) => {
    // A missing driver method is reported by its name before anything is created.
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

/** The payments before and after more of them were made. */
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

/** The same, by what of its description filters can be tried on without any doubt. */
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
  const times = ['created_at', 'paid_at'].map((name) => valueAt(row, name)).filter((time) => aTimestamp.holds(time));
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

/** @throws Skip by what it is that no payment can be made for want of */
async function orSkip(context: ClauseContext): Promise<void> {
  if (!canPay(context)) await context.use(paidLink);
}
