import type { Place } from '../clauses/fields.js';
import { aTimestamp, valueAt } from '../expect.js';
import { eventually } from '../patience.js';
import { fact, type Scene } from '../session.js';
import { Blocked, Skip } from '../verdict.js';
import type { Row } from './invoices.js';
import { otherCaseLink, paidLink, plainLink } from './links.js';
import { findRow, places, rowsPage } from './rows.js';

export const paymentStatuses = ['paid', 'open', 'pending', 'failed'] as const;

/** Where the payment of the link that was paid is in the list, once it is there and says `paid`. */
export const foundPayment = fact('the payment of a link', async (scene) => {
  const { record, body } = await scene.at(paidLink);
  return eventually(
    scene,
    () => findPayment(scene, { ...record, description: body['description'] }),
    (place) => typeof place === 'object' && valueAt(place.page.json, `${place.at}.status`) === 'paid',
  );
});

/** By its description, which is that of the link normally; if that does not find it, by the link itself. */
async function findPayment(scene: Scene, link: Row): Promise<Place | 'absent' | 'elsewhere'> {
  const { id, url, description } = link;
  const isIt = (row: Row): boolean => row['description'] === description || row['payment_link_url'] === url;
  const found = await findRow(scene, `/payments?description=${encodeURIComponent(String(description))}`, isIt);
  if (typeof found === 'object') return found;
  return findRow(scene, '/payments', (row) => isIt(row) || row['payment_link_id'] === id);
}

/** The payment of the link that was paid. @throws Blocked unless the list has it */
export const ownPayment = fact('the payment of a link', async (scene): Promise<Place> => {
  const found = await scene.at(foundPayment);
  if (typeof found !== 'object') throw new Blocked('the list does not have the payment of the link that was paid');
  return found;
});

/** The first page of the payments; those that the driver brings about are there by then. */
const paymentsPage = fact('the payments', async (scene) => {
  if (canPay(scene)) await scene.at(foundPayment);
  return rowsPage(await scene.get('/payments?per_page=100'));
});

/** Every payment of that page. */
export const listedPayments = fact('the payments', async (scene): Promise<readonly Place[]> => {
  const found = places(await scene.at(paymentsPage));
  if (found.length === 0) {
    await orSkip(scene);
    throw new Skip('records', 'the account has no payment');
  }
  return found;
});

/** What is known of a payment that the filters are tried on: one of the suite's, or one that is there. */
export interface Sample {
  readonly id: unknown;
  readonly status: string;
  /** A part of its description, of letters, digits, spaces and dashes of ASCII. */
  readonly text: string;
  /** The day some days before, and that some days after, everything that has happened to it: `YYYY-MM-DD`. */
  readonly before: string;
  readonly after: string;
}

export const samplePayment = fact('a payment', async (scene): Promise<Sample> => {
  if (canPay(scene)) {
    const { page, at } = await scene.at(ownPayment);
    const own = sampleOf(valueAt(page.json, at));
    if (own) return own;
    throw new Blocked('the payment of the link has no dates, no status or no description', page);
  }
  // Which date filters compare is open, and what is unpaid may have but one.
  const { rows } = await scene.at(paymentsPage);
  for (const row of rows) {
    const sample = row['status'] === 'paid' ? sampleOf(row) : undefined;
    if (sample) return sample;
  }
  await orSkip(scene);
  throw new Skip('records', 'the account has no payment that is paid');
});

/** Has three payments made. */
export const threePayments = fact('three payments', async (scene) => {
  await scene.at(foundPayment);
  for (const link of [plainLink, otherCaseLink]) await scene.drive('payLink', (await scene.at(link)).record);
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

function canPay({ session }: Scene): boolean {
  return session.target.options.mayWrite && session.driver.payLink !== undefined;
}

/** @throws Skip by what it is that no payment can be made for want of */
async function orSkip(scene: Scene): Promise<void> {
  if (!canPay(scene)) await scene.at(paidLink);
}
