import { minuteMs } from '../../../lib/durations.js';
import { parseUrl } from '../../../lib/parse-url.js';
import { Blocked, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import {
  aCurrency,
  aDecimal,
  anInteger,
  aString,
  aTimestamp,
  aUrl,
  expectValue,
  isClientError,
} from '../../engine/expect.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import { isWithinUtcOffsets, knownClockSkewMs } from '../clock.js';
import type { CreatedRecord } from '../created-records.js';
import { expectAccepted } from '../expect-accepted.js';
import { linkQuotes, newLinkQuotes } from '../field-quotes.js';
import { allRecords, dataLocation, fieldClauses } from '../fields.js';
import { expectNotListed } from '../paging/expect-not-listed.js';
import { expectRefused } from '../refusals.js';
import { expectSameText } from '../same-values.js';
import { createdLinks } from './created-links.js';
import { invalidLinks, linkWithoutAmount } from './invalid-links.js';
import {
  freeTextLink,
  freeTextLinkCreation,
  largeLink,
  largeLinkCreation,
  linkCreation,
  newLink,
  newLinkLocation,
  sameDescriptionLink,
  unusualLink,
  unusualText,
  usdLink,
  yenLink,
} from './setups.js';

const common = {
  level: 'documented',
  operation: 'createPaymentLink',
  spec: 'POST /payment-links',
  quote: 'Response: `data` with `id`, `url`, `description`, `amount`, `currency`, `created_at`.',
} as const;
/** Heading of the fields of a payment link. */
const fieldsHeading = 'Payment link';

const newLinkInResponse = setup('the response to the creation of a link', async (context) =>
  dataLocation((await context.use(linkCreation)).exchange),
);

/** Maximum time between the creation of a link and the response. */
const maxCreationDelayMs = 10 * minuteMs;

/** Clauses that require a body with a missing field or an invalid value to be refused. */
const invalidBodyClauses: readonly Clause[] = invalidLinks.map(({ number, level, field, title, creation }) => ({
  ...common,
  id: `LINK-CREATE-${number}`,
  level,
  quote: newLinkQuotes[field],
  title,
  check: async (context) => expectRefused(context, (await context.use(creation)).exchange, newLink),
}));

/** Expects that the response to the creation of a link has the currency and the amount that were sent. */
async function expectCurrencyAndAmount(context: ClauseContext, link: Setup<CreatedRecord>): Promise<void> {
  const { exchange, body } = await context.use(link);
  expectValue(exchange, 'data.currency', String(body['currency']));
  expectValue(exchange, 'data.amount', Number(body['amount']));
}

/** Creation of payment links. */
export const linkClauses: readonly Clause[] = [
  {
    ...common,
    id: 'LINK-CREATE-01',
    title: 'A link with a description, an amount and a currency is created.',
    check: async (context) => expectAccepted(context, (await context.use(linkCreation)).exchange),
  },
  ...fieldClauses({
    prefix: 'LINK-CREATE',
    operation: common.operation,
    spec: fieldsHeading,
    quotes: linkQuotes,
    recordName: 'a new link',
    records: allRecords(common.operation, newLinkInResponse),
    fields: {
      '02': ['id', anInteger],
      '03': ['url', aUrl],
      '04': ['description', aString],
      '05': ['amount', aDecimal],
      '06': ['currency', aCurrency],
      '07': ['created_at', aTimestamp],
    },
  }),
  {
    ...common,
    id: 'LINK-CREATE-08',
    quote: newLinkQuotes.description,
    title: 'The description is free text and is returned as sent.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const { exchange, body } of await createdLinks(context))
        expectSameText(dataLocation(exchange), 'description', body['description']);
    },
  },
  {
    ...common,
    id: 'LINK-CREATE-09',
    quote: newLinkQuotes.amount,
    title: 'The response has the amount that was sent.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const { exchange, body } of await createdLinks(context))
        expectValue(exchange, 'data.amount', Number(body['amount']));
    },
  },
  {
    ...common,
    id: 'LINK-CREATE-10',
    quote: newLinkQuotes.currency,
    title: 'A link without a currency is created in EUR.',
    check: async (context) => {
      const { exchange } = await context.use(freeTextLinkCreation);
      await expectAccepted(context, exchange);
      expectValue(exchange, 'data.currency', 'EUR');
    },
  },
  {
    ...common,
    id: 'LINK-CREATE-11',
    quote: newLinkQuotes.currency,
    title: 'The response has the currency that was sent.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const { exchange, body } of await createdLinks(context))
        if (body['currency'] !== undefined) expectValue(exchange, 'data.currency', String(body['currency']));
    },
  },
  {
    ...common,
    id: 'LINK-CREATE-12',
    level: 'inferred',
    title: 'Every link has its own `id`.',
    check: async (context) => {
      const { exchange, record } = await context.use(sameDescriptionLink);
      const firstId = (await context.use(newLink)).record['id'];
      if (record['id'] === firstId) throw new Violation(`an \`id\` other than ${firstId}`, record['id'], exchange);
    },
  },
  ...invalidBodyClauses,
  {
    ...common,
    level: 'inferred',
    id: 'LINK-CREATE-29',
    quote: newLinkQuotes.amount,
    title: 'A refused link is not created.',
    check: async (context) => {
      const { exchange, body } = await context.use(linkWithoutAmount);
      if (!isClientError(exchange)) throw new Blocked('a link without an amount was not refused', exchange);
      const texts = [body['description']];
      await expectNotListed(context, '/payment-links', {
        noun: 'link',
        field: 'description',
        texts,
        newRecord: newLinkLocation,
      });
    },
  },
  {
    ...common,
    id: 'LINK-CREATE-27',
    quote: newLinkQuotes.description,
    title: 'An empty array in place of the body of a link is refused.',
    check: async (context) =>
      expectRefused(context, await context.post('/payment-links', [], { isInvalid: true }), newLink),
  },
  {
    ...common,
    id: 'LINK-CREATE-18',
    level: 'inferred',
    spec: fieldsHeading,
    quote: linkQuotes.url,
    title: 'The URLs of all links have the same origin.',
    check: async (context) => {
      const [first, second] = [await context.use(newLink), await context.use(freeTextLink)];
      const [firstOrigin, secondOrigin] = [originOf(first), originOf(second)];
      if (firstOrigin !== secondOrigin)
        throw new Violation(`\`data.url\` to be under ${firstOrigin}`, second.record['url'], second.exchange);
    },
  },
  {
    ...common,
    id: 'LINK-CREATE-19',
    spec: fieldsHeading,
    quote: linkQuotes.payments_count,
    title: 'The response to a create request does not have the fields that only the list view has.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const { record, exchange } of await createdLinks(context))
        for (const field of ['payments_count', 'revenue', 'is_active'])
          if (field in record) throw new Violation(`no \`data.${field}\``, record[field], exchange);
    },
  },
  {
    ...common,
    id: 'LINK-CREATE-21',
    spec: fieldsHeading,
    quote: linkQuotes.description,
    title: 'A description in any script and with any punctuation is returned as sent.',
    check: async (context) => {
      const { exchange, record } = await context.use(unusualLink);
      // A database may store another Unicode form of the same text.
      const sent = unusualText(context).normalize();
      if (String(record['description']).normalize() !== sent) {
        throw new Violation(`\`data.description\` to be ${sent}`, record['description'], exchange);
      }
    },
  },
  {
    ...common,
    id: 'LINK-CREATE-22',
    quote: newLinkQuotes.currency,
    title: 'A link in a currency other than EUR has the currency and the amount that were sent.',
    check: (context) => expectCurrencyAndAmount(context, usdLink),
  },
  {
    ...common,
    id: 'LINK-CREATE-30',
    quote: newLinkQuotes.amount,
    title: 'A link in a currency without decimal places has the currency and the amount that were sent.',
    check: (context) => expectCurrencyAndAmount(context, yenLink),
  },
  {
    ...common,
    id: 'LINK-CREATE-23',
    spec: fieldsHeading,
    quote: `${linkQuotes.description} … ${linkQuotes.amount}`,
    title: 'A long description that consists of digits, and an amount of more than 1,000, are returned as sent.',
    check: async (context) => {
      await expectAccepted(context, (await context.use(largeLinkCreation)).exchange);
      const { exchange, body } = await context.use(largeLink);
      expectValue(exchange, 'data.description', String(body['description']));
      expectValue(exchange, 'data.amount', Number(body['amount']));
    },
  },
  {
    ...common,
    id: 'LINK-CREATE-28',
    level: 'inferred',
    spec: fieldsHeading,
    quote: linkQuotes.created_at,
    title: '`created_at` of a new link is the time of its creation, in UTC or with the offset of its time zone.',
    check: async (context) => {
      const { record, exchange } = await context.use(newLink);
      // The skew is computed from this link: its `created_at` minus the `Date` header of the response.
      const skewMs = await context.use(knownClockSkewMs);
      // A skew of up to 14 hours means local time without its offset, which is a violation. A larger one means that the
      // target is a simulator, whose clock can be set to any time.
      if (Math.abs(skewMs) > maxCreationDelayMs && isWithinUtcOffsets(skewMs))
        throw new Violation(
          `\`data.created_at\` to be within 10 minutes of ${exchange.headers['date']}, the time of the response`,
          record['created_at'],
          exchange,
        );
    },
  },
  {
    ...common,
    id: 'LINK-CREATE-20',
    quote: newLinkQuotes.description,
    title: 'The description is shown on the payment page.',
    check: { untestable: 'the payment page is for people, and not part of the API' },
  },
];

function originOf({ record }: CreatedRecord): string {
  const url = parseUrl(String(record['url']));
  if (!url) throw new Blocked(`${record['url']} is not a URL`);
  return url.origin;
}
