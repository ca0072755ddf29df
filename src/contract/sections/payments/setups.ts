import { dayMs } from '../../../lib/durations.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import { timestampOf, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { JsonObject } from '../../engine/json.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import { containsText, dayOf } from '../../predicates/filters.js';
import { type CreatedRecord, createdRecord } from '../created-records.js';
import { fieldOf, type RecordLocation, recordOf } from '../fields.js';
import { createRecordFinder, measureListGrowth } from '../paging/list-growth.js';
import {
  findInList,
  isFound,
  recordLocations,
  requireFound,
  type SearchResult,
  searchUntilListed,
  toListPage,
} from '../paging/setups.js';
import {
  creationAttempt,
  freeTextLink,
  largeLink,
  letterCaseLink,
  type PaidLink,
  paidLink,
  payLink,
  unusualLink,
  usdLink,
} from '../payment-links/setups.js';
import { isSameValue } from '../same-values.js';
import { webhookReceiver } from '../webhook-receiver.js';

export const paymentStatuses = ['paid', 'open', 'pending', 'failed'] as const;

/**
 * Result of searching the list for the payment of `paidLink`. The search is repeated until the payment is listed as
 * `paid`, or the timeout has passed.
 */
export const linkPaymentSearch = setup('the search for the payment of a link', async (context) => {
  const link = await context.use(paidLink);
  return eventually(
    context,
    () => findPayment(context, link),
    (result) => isFound(result) && isPaid(result),
  );
});

/** True if the list shows a payment as `paid`. */
export function isPaid(payment: RecordLocation): boolean {
  return fieldOf(payment, 'status') === 'paid';
}

/** Finds a payment by its description, which is usually the link's description; otherwise by the link's id or URL. */
async function findPayment(context: ClauseContext, { record: link, body }: CreatedRecord): Promise<SearchResult> {
  const { id, url } = link;
  const { description } = body;
  const isMatch = (record: JsonObject): boolean =>
    record['description'] === description || record['payment_link_url'] === url;
  const found = await findInList(context, `/payments?description=${encodeURIComponent(String(description))}`, isMatch);
  if (isFound(found)) return found;
  return findInList(context, '/payments', (record) => isMatch(record) || record['payment_link_id'] === id);
}

/** Location of the payment of `paidLink` in the list. @throws Blocked if it was not found */
export const linkPaymentLocation = setup('the payment of a link', async (context) =>
  requireFound(await context.use(linkPaymentSearch), 'the payment of the link'),
);

/** Response with the first page of payments. If the driver can pay a link, it does so first. */
export const paymentsResponse = setup('the payments', async (context) => {
  if (canPay(context)) await context.use(linkPaymentSearch);
  return context.get('/payments?per_page=100');
});
export const paymentsPage = setup('the first page of payments', async (context) =>
  toListPage(await context.use(paymentsResponse)),
);

/** Locations of all payments on the first page. */
export const listedPayments = setup('the payments of a page', async (context): Promise<readonly RecordLocation[]> => {
  const found = recordLocations(await context.use(paymentsPage));
  if (found.length === 0) {
    await skipIfCannotPay(context);
    throw new Skip({ missing: 'a payment', reason: 'the account has none' });
  }
  return found;
});

/** A payment that filters must find or leave out. The driver made it, or it existed before the run. */
export interface SamplePayment {
  readonly id: unknown;
  readonly status: string;
  /** A part of its description that consists of ASCII letters, digits, spaces and dashes. */
  readonly descriptionPart: string;
  /** Text of the same length that its description does not contain, even if case is ignored. */
  readonly otherDescription: string;
  /**
   * The date three days before its first timestamp: `YYYY-MM-DD`. In every time zone this is clearly an earlier date.
   */
  readonly earlierDay: string;
  /** The date three days after its last timestamp: `YYYY-MM-DD`. */
  readonly laterDay: string;
  /**
   * The earliest and the latest day of its timestamps, `YYYY-MM-DD`. Each timestamp counts with its day in UTC and its
   * day in the offset in which it is written. Usually these are the same day.
   */
  readonly dayRange: { readonly from: string; readonly to: string };
}

export const samplePayment = setup('a payment', async (context): Promise<SamplePayment> => {
  if (canPay(context)) {
    const location = await context.use(linkPaymentLocation);
    const sample = toSamplePayment(recordOf(location));
    if (sample) return sample;
    throw new Blocked('the payment of the link has no dates, no status or no description', location.exchange);
  }
  // Only a paid payment has both dates, and the specification does not say which of them the filters compare.
  const { records } = await context.use(paymentsPage);
  for (const record of records) {
    const sample = record['status'] === 'paid' ? toSamplePayment(record) : undefined;
    if (sample) return sample;
  }
  await skipIfCannotPay(context);
  throw new Skip({ missing: 'a payment that is `paid`', reason: 'the account has none' });
});

/**
 * A link that the driver has paid. Its slug ends with a numeric suffix, because its description differs from that of
 * `newLink` only in case.
 */
const paidSuffixedLink = setup('a paid link whose slug has a numeric suffix', async (context): Promise<PaidLink> => {
  await context.use(linkPaymentSearch);
  return payLink(context, await context.use(letterCaseLink));
});

/**
 * Location of the payment of `paidSuffixedLink`. Links whose slugs differ only in the suffix are not paid, so the
 * payment cannot be one of theirs.
 */
export const suffixedPaymentLocation = setup(
  'the payment of a link whose slug has a numeric suffix',
  async (context): Promise<RecordLocation> => {
    const link = await context.use(paidSuffixedLink);
    const found = await searchUntilListed(context, () => findPayment(context, link));
    return requireFound(found, 'the payment of the link');
  },
);

/**
 * Three payments: of `paidLink`, of the link with free text, and of the link whose description differs from that of
 * `newLink` only in case.
 */
export const threePayments = setup('three payments', async (context) => {
  await context.use(linkPaymentSearch);
  await context.drive('payLink', (await context.use(freeTextLink)).record);
  await context.use(paidSuffixedLink);
});

/** A link with the description of `paidLink`, created after `paidLink` was paid. */
export const repeatedDescriptionLink = createdRecord(
  creationAttempt(
    'a link with the description of a paid link',
    async (context) => (await context.use(paidLink)).body,
    linkPaymentSearch,
  ),
);

/**
 * Creates a setup in which the driver pays a link. Before that, it reads the first page of payments, with which
 * `paymentListGrowth` compares the later one.
 */
function linkPaidByDriver(link: Setup<CreatedRecord>): Setup<PaidLink> {
  return setup(`${link.name}, after its payment`, async (context) => {
    context.requireDriverMethod('payLink');
    await context.runIfPossible(webhookReceiver);
    await context.use(paymentsPage);
    return payLink(context, await context.use(link));
  });
}

export const paidUnusualLink = linkPaidByDriver(unusualLink);
const paidUsdLink = linkPaidByDriver(usdLink);
export const paidLargeLink = linkPaidByDriver(largeLink);

/** The first page of payments, before and after more payments were made. */
export const paymentListGrowth = setup('the payments after more were made', async (context) => {
  context.requireDriverMethod('payLink');
  const before = await context.use(paymentsPage);
  // PAY-LINK-13 needs a list that was read after a newer link with the description of `paidLink` was created.
  await context.runIfPossible(repeatedDescriptionLink);
  // A target may refuse to create some of these links, for example one in another currency.
  const links = [paidUnusualLink, paidUsdLink, paidLargeLink];
  let createdByDriver = 0;
  for (const link of links) if (await ifPossible(context.use(link))) createdByDriver += 1;
  return measureListGrowth(context, before, { createdByDriver });
});

const findPaymentAfterGrowth = createRecordFinder(paymentListGrowth);

/** Creates a setup for the location of a link's payment in the list after it has grown. */
function paymentLocation(link: Setup<CreatedRecord>): Setup<RecordLocation> {
  return setup(`the payment of ${link.name}`, async (context) => {
    const { record } = await context.use(link);
    return findPaymentAfterGrowth(context, (payment) => isSameValue(payment['payment_link_id'], record['id']), isPaid);
  });
}

/** Location of the payment of the link with unusual text. */
export const unusualPaymentLocation = paymentLocation(paidUnusualLink);
export const usdPaymentLocation = paymentLocation(paidUsdLink);
export const largePaymentLocation = paymentLocation(paidLargeLink);

/** Location of the payment of `paidLink` in the list after it has grown. */
export const linkPaymentInLongerList = paymentLocation(paidLink);

/** The links that the driver pays after `paidLink`, each with the location of its payment in the list. */
export const otherPaidLinks: readonly { readonly link: Setup<PaidLink>; readonly location: Setup<RecordLocation> }[] = [
  { link: paidSuffixedLink, location: suffixedPaymentLocation },
  { link: paidUnusualLink, location: unusualPaymentLocation },
  { link: paidUsdLink, location: usdPaymentLocation },
  { link: paidLargeLink, location: largePaymentLocation },
];

/** The payment of the link with unusual text. @throws Blocked unless it shows the description of the link */
export const unusualSample = setup('a payment with unusual text', async (context): Promise<SamplePayment> => {
  const { body } = await context.use(paidUnusualLink);
  const location = await context.use(unusualPaymentLocation);
  const payment = recordOf(location);
  const shown = String(valueAt(payment, 'description')).normalize();
  if (!shown.includes(String(body['description']).normalize())) {
    throw new Blocked("the description of the payment does not include the link's description", location.exchange);
  }
  const sample = toSamplePayment(payment);
  if (!sample) throw new Blocked('the payment of the link has no dates or no status', location.exchange);
  return sample;
});

/** The payment of a link in a currency other than the default. @throws Skip if the target refuses the currency */
export const usdSample = setup('a payment in another currency', async (context): Promise<SamplePayment> => {
  const location = await context.use(usdPaymentLocation);
  const sample = toSamplePayment(recordOf(location));
  if (!sample)
    throw new Blocked('the payment of the link has no dates, no status or no description', location.exchange);
  return sample;
});

/** Reads a sample from a payment; undefined if it has no status, no time or no usable part of a description. */
function toSamplePayment(record: unknown): SamplePayment | undefined {
  const [id, status, description] = ['id', 'status', 'description'].map((name) => valueAt(record, name));
  const timestamps = ['created_at', 'paid_at'].flatMap((name) => timestampOf(valueAt(record, name)) ?? []);
  const times = timestamps.map(({ at }) => at);
  // The longest part that consists of ASCII letters, digits, spaces and dashes.
  const [text = ''] = (String(description).match(/[a-z0-9](?:[a-z0-9 -]*[a-z0-9])?/gi) ?? []).sort(
    (a, b) => b.length - a.length,
  );
  const days = [...timestamps.map(({ date }) => date), ...times.map(dayOf)].sort();
  const [from] = days;
  const to = days.at(-1);
  if (typeof status !== 'string' || from === undefined || to === undefined || text.length < 4) return undefined;
  return {
    id,
    status,
    descriptionPart: text,
    otherDescription: otherTextThan(String(description), text),
    earlierDay: dayOf(Math.min(...times) - 3 * dayMs),
    laterDay: dayOf(Math.max(...times) + 3 * dayMs),
    dayRange: { from, to },
  };
}

/** Returns a part of a text with another last letter, so that the text does not contain it. */
function otherTextThan(text: string, part: string): string {
  const candidates = [...'xyzqjkw'].map((letter) => `${part.slice(0, -1)}${letter}`);
  return candidates.find((candidate) => !containsText(text, candidate)) ?? 'x'.repeat(part.length);
}

function canPay({ session }: ClauseContext): boolean {
  return session.target.options.mayWrite && session.driver.payLink !== undefined;
}

/** @throws Skip with the reason if the suite cannot make a payment */
async function skipIfCannotPay(context: ClauseContext): Promise<void> {
  // The setup of `paidLink` throws the Skip: it names the driver method or the permission to write that is missing.
  if (!canPay(context)) await context.use(paidLink);
}
