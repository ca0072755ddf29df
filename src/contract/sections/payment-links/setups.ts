import { Blocked, Skip } from '../../engine/check-errors.js';
import type { Call } from '../../engine/exchange.js';
import { requireSuccessOrSkip } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import { isSameId } from '../../predicates/matchers.js';
import { type CreatedRecord, type Creation, createdRecord, withRecord } from '../created-records.js';
import { requireAccepted } from '../expect-accepted.js';
import type { RecordLocation } from '../fields.js';
import { readBeforeCreation } from '../first-reads.js';
import { findUntilListed, recordLocations, requireFound, toListPage } from '../paging/setups.js';
import { webhookReceiver } from '../webhook-receiver.js';

/**
 * Returns a description that consists of ASCII letters, digits and hyphens. Its slug must be its lower-case form: the
 * specification leaves open only how a slug represents other characters. The `I` shows whether the target lower-cases
 * with Turkish rules, which do not turn it into `i`.
 */
export function asciiDescription(context: ClauseContext): string {
  return `Contract-${context.session.runId}-AbcXIyz`;
}

/** Returns a description that is a prefix of `asciiDescription`. */
export const shorterDescription = (context: ClauseContext): string => asciiDescription(context).slice(0, -2);

/** The URL of a link that the suite has created. @throws Blocked if the response to its creation has none */
export function urlOfCreated({ record: { url }, exchange }: CreatedRecord): string {
  if (typeof url === 'string') return url;
  throw new Blocked('the response to the creation of the link has no `url`', exchange);
}

/** The creation of `newLink`, which may have failed. */
export const linkCreation = setup('the creation of a link', async (context): Promise<Creation> => {
  const body = { description: asciiDescription(context), amount: 19.99, currency: 'EUR' };
  await readBeforeCreation(context, 'links');
  return { body, exchange: await context.post('/payment-links', body) };
});

/**
 * Requests the creation of another link, but only after the suite has searched the list for `newLink`: a faulty list may
 * omit the newest link, and the search detects that only while `newLink` is the newest.
 * @param call `isInvalid` is true if the body is invalid. If the target accepts it anyway, clauses about earlier
 *   responses ignore the result, which the specification does not describe
 */
export async function postAnotherLink(
  context: ClauseContext,
  body: JsonObject,
  call: Pick<Call, 'isInvalid'> = {},
): Promise<Creation> {
  await context.runIfPossible(newLinkSearch);
  return { body, exchange: await context.post('/payment-links', body, call) };
}

/**
 * Creates a setup that attempts to create another link.
 * @param after a link that must be created before this one
 */
export function creationAttempt(
  name: string,
  createBody: (context: ClauseContext) => JsonObject | Promise<JsonObject>,
  after?: Setup<unknown>,
): Setup<Creation> {
  return setup(name, async (context) => {
    if (after) await context.use(after);
    return postAnotherLink(context, await createBody(context));
  });
}

/**
 * Creates a setup for another link with a description, whose amount does not matter.
 * @param after a link that must be created before this one
 */
export function linkWithDescription(
  name: string,
  describe: (context: ClauseContext) => string | Promise<string>,
  after?: Setup<unknown>,
): Setup<CreatedRecord> {
  const createBody = async (context: ClauseContext) => ({
    description: await describe(context),
    amount: 20,
    currency: 'EUR',
  });
  return createdRecord(creationAttempt(name, createBody, after));
}

/** The first link that the suite creates. */
export const newLink = createdRecord(linkCreation);

/**
 * Response with the first page of links. If the suite may write, the page is read after the creation of `newLink`, but
 * before the suite creates other links.
 */
export const linksResponse = setup('the payment links', async (context) => {
  if (context.session.target.options.mayWrite) await context.use(linkCreation);
  return context.get('/payment-links?per_page=100');
});
export const linksPage = setup('the first page of payment links', async (context) =>
  toListPage(await context.use(linksResponse)),
);

/** Result of searching the list for `newLink`, before the suite creates other links. */
export const newLinkSearch = setup('the search for a new link in the list', async (context) => {
  const { record } = await context.use(newLink);
  const isMatch = ({ id }: JsonObject): boolean => isSameId(id, record['id']);
  return findUntilListed(context, '/payment-links', isMatch, await context.use(linksPage));
});

/** A second link with the description of `newLink`. */
export const sameDescriptionLink = linkWithDescription('a link with the same description', asciiDescription, newLink);

/** A third link, whose description differs from that of `newLink` only in letter case, so that its slug is the same. */
export const letterCaseLink = linkWithDescription(
  'a link whose description differs only in case',
  (context) => asciiDescription(context).toUpperCase(),
  sameDescriptionLink,
);

/** A link with free text, and without a currency. */
export const freeTextLinkCreation = creationAttempt('a link with free text', (context) => ({
  description: context.withRunPrefix('Été & Söhne; 50 % <b>№ 7</b> ›'),
  amount: 12.34,
}));
export const freeTextLink = createdRecord(freeTextLinkCreation);

/** Text with characters of two to four bytes in UTF-8, and with characters that are special in patterns and queries. */
export const unusualText = (context: ClauseContext): string =>
  context.withRunPrefix('odd ÀÉ Öl Жук 漢字 🏨 (50 %_Rabatt) [a.b]* \\d+ "q" & c\'s <b>');

export const unusualLink = createdRecord(
  creationAttempt('a link with unusual text', (context) => ({
    description: unusualText(context),
    amount: 17.07,
    currency: 'EUR',
  })),
);

/** Number of digits in the description of `largeLink`. */
const longDescriptionDigits = 200;

/** Attempts to create a link with a high amount and a long description that looks like a number. */
export const largeLinkCreation = creationAttempt('a link with a high amount and a long description', ({ session }) => ({
  description: String(Number.parseInt(session.runId, 16)).repeat(longDescriptionDigits).slice(0, longDescriptionDigits),
  amount: 1234.56,
  currency: 'EUR',
}));
/** @throws Skip if the target accepts only smaller values */
export const largeLink = setup(largeLinkCreation.name, async (context): Promise<CreatedRecord> => {
  const creation = await context.use(largeLinkCreation);
  await requireAccepted(context, creation.exchange);
  return withRecord(creation);
});

/** Creates a setup for a link in a currency. It throws Skip if the target refuses the currency, as it is allowed to. */
function linkInCurrency(name: string, currency: string, description: string, amount: number): Setup<CreatedRecord> {
  const attempt = creationAttempt(name, (context) => ({
    description: context.withRunPrefix(description),
    amount,
    currency,
  }));
  return setup(name, async (context) => {
    const creation = await context.use(attempt);
    requireSuccessOrSkip(creation.exchange, {
      missing: 'a currency other than EUR',
      reason: `${currency} is refused; the specification does not say which currencies are accepted`,
    });
    return withRecord(creation);
  });
}

export const usdLink = linkInCurrency('a link in another currency', 'USD', 'in dollars', 12.5);
/** A yen has no decimal places. A target that takes amounts for hundredths of a unit would change this one. */
export const yenLink = linkInCurrency('a link in a currency without decimal places', 'JPY', 'in yen', 500);

/**
 * A link whose description equals the slug of `sameDescriptionLink`, apart from letter case. That slug ends with `-2` and
 * is taken, so this link must get a different one.
 */
export const numberedDescriptionLink = linkWithDescription(
  'a link whose description ends with a number',
  (context) => `${asciiDescription(context)}-2`,
  sameDescriptionLink,
);

/** A link whose description is a prefix of the description of `newLink`. The same is true of their slugs. */
export const shorterLink = linkWithDescription(
  'a link whose description is a prefix of another description',
  shorterDescription,
  // Created after several links with longer slugs, so that a target that counts slugs by prefix gives it a suffix.
  letterCaseLink,
);

/** A second link with the description of `shorterLink`. */
export const secondShorterLink = linkWithDescription(
  'a second link with that shorter description',
  shorterDescription,
  shorterLink,
);

/** A link whose description has no Latin letters. Descriptions like this may all have the same slug. */
export const chineseLink = linkWithDescription('a link with a Chinese description', () => '漢字');
export const cyrillicLink = linkWithDescription('a link with a Cyrillic description', () => 'Жук', chineseLink);

/** Locations of all links on the first page. */
export const listedLinks = setup('the payment links on a page', async (context): Promise<readonly RecordLocation[]> => {
  const found = recordLocations(await context.use(linksPage));
  if (found.length === 0) throw new Skip({ missing: 'a payment link', reason: 'the account has none' });
  return found;
});

/** Location of the new link in the list. @throws Blocked if it was not found */
export const newLinkLocation = setup('a new link in the list', async (context) =>
  requireFound(await context.use(newLinkSearch), 'the new link'),
);

/** A link that was paid by the driver, which does what the API cannot. */
export interface PaidLink extends CreatedRecord {
  /** Time just before the payment, in milliseconds since 1970. */
  readonly paymentStartedAt: number;
}

/** End of the description of `paidLink`, by which a mutant recognizes it. */
export const paidDescriptionEnd = 'Paid Stay';

/** The first link that the driver pays. */
export const paidLink = setup('a link that was paid', async (context): Promise<PaidLink> => {
  // In floating point, 18.15 × 100 is less than 1815: a target that computes cents must round, not truncate.
  const body = { description: context.withRunPrefix(paidDescriptionEnd), amount: 18.15, currency: 'EUR' };
  context.requireDriverMethod('payLink');
  // The receiver must be open before the payment, and the search for `newLink` must end before a newer link exists.
  await context.runIfPossible(webhookReceiver);
  await context.runIfPossible(newLinkSearch);
  return payLink(context, withRecord({ body, exchange: await context.post('/payment-links', body) }));
});

/** Pays a link through the driver. */
export async function payLink(context: ClauseContext, link: CreatedRecord): Promise<PaidLink> {
  await readBeforeCreation(context, 'payments');
  const paymentStartedAt = Date.now();
  await context.drive('payLink', link.record);
  return { ...link, paymentStartedAt };
}
