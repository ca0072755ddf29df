import { eventually } from '../../engine/eventually.js';
import { isClientError } from '../../engine/expect.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import type { RecordLocation } from '../fields.js';
import { type Created, type Creation, type Row, recordOf } from '../invoice-creation/setups.js';
import { findRow, type RowsPage, rowLocations, rowsPage } from '../paging/setups.js';
import { webhookReceiver } from '../webhook-receiver.js';

/** A description whose slug is just its lower case: how slugs represent spaces and accents is open. */
export function slugText(context: ClauseContext): string {
  return `Contract${context.session.runId}AbcXyz`;
}

export const linkCreation = setup('the creation of a link', async (context): Promise<Creation> => {
  const body = { description: slugText(context), amount: 19.99, currency: 'EUR' };
  return { body, exchange: await context.post('/payment-links', body) };
});

/**
 * Attempts to create another link. It waits until the list was searched for the first one: a list may omit its newest
 * record.
 */
function attempt(name: string, bodyOf: (context: ClauseContext) => Row, before?: Setup<unknown>): Setup<Creation> {
  return setup(name, async (context) => {
    await context.waitFor(foundLink);
    if (before) await context.use(before);
    const body = bodyOf(context);
    return { body, exchange: await context.post('/payment-links', body) };
  });
}

/** The created link. @throws Blocked if it was not created */
function created(creation: Setup<Creation>): Setup<Created> {
  return setup(creation.name, async (context) => {
    const { exchange, body } = await context.use(creation);
    return { exchange, body, record: recordOf(exchange) };
  });
}

export const newLink = created(linkCreation);

/** First page of the links. If the suite may write, it contains the new link, and no other link of the suite. */
export const linksResponse = setup('the payment links', async (context) => {
  if (context.session.target.options.mayWrite) await context.use(linkCreation);
  return context.get('/payment-links?per_page=100');
});
export const linksPage = setup('the payment links', async (context) => rowsPage(await context.use(linksResponse)));

/** Location of the new link in the list, read before the suite creates other links. */
export const foundLink = setup('a new link in the list', async (context) => {
  const { record } = await context.use(newLink);
  const search = async (first?: RowsPage) =>
    findRow(context, '/payment-links', (row) => String(row['id']) === String(record['id']), first);
  const found = await search(await context.use(linksPage));
  return found === 'absent' ? eventually(context, search, (location) => location !== 'absent') : found;
});

/** A second link with the same description. */
export const sameLink = created(
  attempt(
    'a link with the same description',
    (context) => ({ description: slugText(context), amount: 20, currency: 'EUR' }),
    newLink,
  ),
);

/** A third link, whose description differs only in case. */
export const otherCaseLink = created(
  attempt(
    'a link with the same slug',
    (context) => ({ description: slugText(context).toUpperCase(), amount: 20, currency: 'EUR' }),
    sameLink,
  ),
);

/** A link with free text, and without a currency. */
export const plainLinkCreation = attempt('a link with free text', (context) => ({
  description: context.withRunPrefix('Séjour «Été» & Söhne; 50 % <b>№ 7</b>'),
  amount: 1234.5,
}));
export const plainLink = created(plainLinkCreation);

/** Text with characters of two to four bytes in UTF-8, and with characters that are special in patterns and queries. */
export const unusualText = (context: ClauseContext): string =>
  context.withRunPrefix('odd ÀÉ Öl Жук 漢字 🏨 (50 %_Rabatt) [a.b]* \\d+ "q" & c');

export const unusualLink = created(
  attempt('a link with unusual text', (context) => ({
    description: unusualText(context),
    amount: 7.07,
    currency: 'EUR',
  })),
);

const foreignLinkCreation = attempt('a link in another currency', (context) => ({
  description: context.withRunPrefix('in dollars'),
  amount: 12.5,
  currency: 'USD',
}));
/** A link in a currency other than the default. @throws Skip if the target refuses it, which is open */
export const foreignLink = setup(foreignLinkCreation.name, async (context): Promise<Created> => {
  const { exchange, body } = await context.use(foreignLinkCreation);
  if (isClientError(exchange))
    throw new Skip('a currency other than EUR', 'USD is refused; which currencies are accepted is open');
  return { exchange, body, record: recordOf(exchange) };
});

/** A link whose description is the slug that the second link got. */
export const suffixLink = created(
  attempt(
    'a link whose slug ends with a number',
    (context) => ({ description: `${slugText(context)}-2`, amount: 20, currency: 'EUR' }),
    sameLink,
  ),
);

/** Attempts with invalid bodies, by what is wrong. */
export const refusedLinks = {
  'without a description': attempt('a link without a description', () => ({ amount: 10 })),
  'without an amount': attempt('a link without an amount', (context) => ({
    description: context.withRunPrefix('no amount'),
  })),
  'whose amount is a word': attempt('a link whose amount is a word', (context) => ({
    description: context.withRunPrefix('amount in words'),
    amount: 'ten',
  })),
  'whose description is an object': attempt('a link whose description is an object', (context) => ({
    description: { text: context.withRunPrefix('object') },
    amount: 10,
  })),
  'whose currency does not have 3 letters': attempt('a link whose currency does not have 3 letters', (context) => ({
    description: context.withRunPrefix('currency'),
    amount: 10,
    currency: 'EURO',
  })),
} as const;

/** Locations of all links on the first page. */
export const listedLinks = setup('the payment links', async (context): Promise<readonly RecordLocation[]> => {
  const found = rowLocations(await context.use(linksPage));
  if (found.length === 0) throw new Skip('records', 'the account has no payment link');
  return found;
});

/** Location of the new link in the list. @throws Blocked if it was not found */
export const listedLink = setup('a new link in the list', async (context): Promise<RecordLocation> => {
  const found = await context.use(foundLink);
  if (typeof found !== 'object') throw new Blocked('the new link is not on the pages of the list that were searched');
  return found;
});

/** A link that was paid by the driver. */
export const paidLink = setup(
  'a link that was paid',
  async (context): Promise<Created & { readonly paidAt: number }> => {
    const body = { description: context.withRunPrefix('Paid Stay'), amount: 42.5, currency: 'EUR' };
    // Reports a missing driver method before anything is created.
    if (!context.session.driver.payLink) await context.drive('payLink', {});
    await context.waitFor(webhookReceiver);
    await context.waitFor(foundLink);
    const exchange = await context.post('/payment-links', body);
    const record = recordOf(exchange);
    const paidAt = Date.now();
    await context.drive('payLink', record);
    return { exchange, body, record, paidAt };
  },
);
