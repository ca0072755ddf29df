import { eventually } from '../../engine/eventually.js';
import { aTimestamp, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type Fact, fact, type Scene } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import type { Place } from '../fields.js';
import type { Created, Row } from '../invoice-creation/setups.js';
import { growthOf, laterRows } from '../overdue/setups.js';
import { findRow, places, rowsPage } from '../paging/setups.js';
import { foreignLink, oddLink, otherCaseLink, paidLink, plainLink } from '../payment-links/setups.js';
import { isSame } from '../same-fields.js';
import { webhooks } from '../webhooks/setups.js';

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

/** The first page of the payments; the first one that the driver has brought about is there by then. */
export const paymentsAnswer = fact('the payments', async (scene) => {
  if (canPay(scene)) await scene.at(foundPayment);
  return scene.get('/payments?per_page=100');
});
const paymentsPage = fact('the payments', async (scene) => rowsPage(await scene.at(paymentsAnswer)));

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

/** Has a link paid, after the payments were looked at. */
function paid(link: Fact<Created>): Fact<Created & { readonly at: number }> {
  return fact(`${link.name}, paid`, async (scene) => {
    // A driver that cannot have it paid is told by its name before anything is made.
    if (!scene.session.driver.payLink) await scene.drive('payLink', {});
    await scene.after(webhooks);
    await scene.at(paymentsPage);
    const made = await scene.at(link);
    const at = Date.now();
    await scene.drive('payLink', made.record);
    return { ...made, at };
  });
}

export const paidOddLink = paid(oddLink);
const paidForeignLink = paid(foreignLink);

/** The payments before and after more of them were made. */
export const paymentGrowth = fact('the payments, later', async (scene) => {
  const before = await scene.at(paymentsPage);
  await scene.at(paidOddLink);
  const foreign = await ifPossible(scene.at(paidForeignLink));
  return growthOf(scene, before, foreign ? 2 : 1);
});

const findLater = laterRows(paymentGrowth);

function paymentOf(link: Fact<Created>): Fact<Place> {
  return fact(`the payment of ${link.name}`, async (scene) => {
    const { record } = await scene.at(link);
    return findLater(scene, (row) => isSame(row['payment_link_id'], record['id']));
  });
}

export const oddPayment = paymentOf(paidOddLink);
export const foreignPayment = paymentOf(paidForeignLink);

/** The same, by what of its description filters can be tried on without any doubt. */
export const oddSample = fact('a payment with an odd text', async (scene): Promise<Sample> => {
  const { body } = await scene.at(paidOddLink);
  const { page, at } = await scene.at(oddPayment);
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

function canPay({ session }: Scene): boolean {
  return session.target.options.mayWrite && session.driver.payLink !== undefined;
}

/** @throws Skip by what it is that no payment can be made for want of */
async function orSkip(scene: Scene): Promise<void> {
  if (!canPay(scene)) await scene.at(paidLink);
}
