import { minuteMs } from '../../../lib/durations.js';
import { isRecord } from '../../../lib/json.js';
import type { JsonObject } from '../../engine/json.js';
import type { InterceptedRequest, Interceptor } from '../../mutation/interceptor.js';
import {
  fieldConverter,
  fieldSetter,
  hasFullToken,
  listRefusedRecord,
  onData,
  onRequest,
  refuseFullToken,
  replaceFourByteCharacters,
} from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';

const linksPath = '/payment-links';

/** Changes the new link in the response to the request that creates it. */
const onCreation = (change: (link: JsonObject) => void): Interceptor => onData('POST', linksPath, change);
/**
 * Changes the bodies of requests for new links that are sent with the token `full`. Requests with other tokens stay as
 * they are, so that clauses about scopes still hold.
 */
const onRequestBody = (change: (body: JsonObject) => unknown): Interceptor =>
  onRequest('POST', linksPath, ({ body, token }: InterceptedRequest) => {
    if (token === 'full') change(body);
  });

/**
 * Gives a new link the id of an earlier one with the same description, if there is one. A function that each run calls,
 * so that runs do not share ids.
 */
function repeatIds(): Interceptor {
  const ids = new Map<unknown, unknown>();
  return onData('POST', linksPath, (link) => {
    const { description, id } = link;
    Object.assign(link, { id: ids.get(description) ?? id });
    ids.set(description, link['id']);
  });
}

/** Mutants for the clauses about creating payment links (LINK-CREATE). */
export const linkMutants: readonly MutantRow[] = [
  [
    'LINK-CREATE-01',
    'Creating a link with a token that has both scopes fails with 500.',
    refuseFullToken('POST', linksPath, 500),
  ],
  ['LINK-CREATE-02', 'The `id` of a new link is a string.', onCreation(fieldConverter('id', String))],
  ['LINK-CREATE-03', 'The `url` of a new link is a path.', onCreation(fieldSetter({ url: '/pay/somewhere' }))],
  ['LINK-CREATE-04', 'The `description` of a new link is null.', onCreation(fieldSetter({ description: null }))],
  ['LINK-CREATE-05', 'The `amount` of a new link is in German format.', onCreation(fieldSetter({ amount: '19,99' }))],
  ['LINK-CREATE-06', 'The `currency` of a new link is a currency symbol.', onCreation(fieldSetter({ currency: '€' }))],
  [
    'LINK-CREATE-07',
    'The `created_at` of a new link has no UTC offset.',
    onCreation(fieldSetter({ created_at: '2026-03-01T09:00:00' })),
  ],
  [
    'LINK-CREATE-08',
    'The description of a new link is escaped for HTML.',
    onCreation(fieldConverter('description', (text) => String(text).replaceAll('&', '&amp;'))),
  ],
  [
    'LINK-CREATE-09',
    'The amount of a new link is rounded.',
    onCreation(fieldConverter('amount', (amount) => Math.round(Number(amount)))),
  ],
  [
    'LINK-CREATE-10',
    'The default currency of a link is USD.',
    onRequestBody(fieldConverter('currency', (currency) => currency ?? 'USD')),
  ],
  ['LINK-CREATE-11', 'A new link is always in USD.', onCreation(fieldSetter({ currency: 'USD' }))],
  ['LINK-CREATE-12', 'A link with the description of an earlier link has the same `id`.', repeatIds],
  [
    'LINK-CREATE-13',
    'A link without a description is accepted.',
    onRequestBody((body) => body['description'] === undefined && Object.assign(body, { description: 'untitled' })),
  ],
  [
    'LINK-CREATE-14',
    'A link without an amount is accepted.',
    onRequestBody((body) => body['amount'] === undefined && Object.assign(body, { amount: 1 })),
  ],
  [
    'LINK-CREATE-15',
    'Any string is accepted as an amount.',
    onRequestBody((body) => typeof body['amount'] === 'string' && Object.assign(body, { amount: 1 })),
  ],
  [
    'LINK-CREATE-16',
    'An object is accepted as a description.',
    onRequestBody((body) => isRecord(body['description']) && Object.assign(body, { description: '[object Object]' })),
  ],
  [
    'LINK-CREATE-17',
    'A currency is truncated to three letters.',
    onRequestBody(
      (body) => typeof body['currency'] === 'string' && Object.assign(body, { currency: body['currency'].slice(0, 3) }),
    ),
  ],
  [
    'LINK-CREATE-24',
    'An amount of null is accepted.',
    onRequestBody((body) => body['amount'] === null && Object.assign(body, { amount: 1 })),
  ],
  [
    'LINK-CREATE-25',
    'A description of null is accepted.',
    onRequestBody((body) => body['description'] === null && Object.assign(body, { description: 'untitled' })),
  ],
  [
    'LINK-CREATE-26',
    'An empty description is accepted.',
    onRequestBody((body) => body['description'] === '' && Object.assign(body, { description: 'untitled' })),
  ],
  [
    'LINK-CREATE-29',
    'A refused link is created anyway.',
    () =>
      listRefusedRecord(linksPath, 'description', (request) => hasFullToken(request) && !('amount' in request.body)),
  ],
  [
    'LINK-CREATE-27',
    'A link is created from an empty body.',
    onRequestBody(
      (body) => Object.keys(body).length === 0 && Object.assign(body, { description: 'untitled', amount: 1 }),
    ),
  ],
  [
    'LINK-CREATE-18',
    'The URL of every link has a different host.',
    onCreation((link) => Object.assign(link, { url: `https://pay${link['id']}.example/slug` })),
  ],
  [
    'LINK-CREATE-19',
    'The response to the creation of a link has `is_active`, which belongs only in lists.',
    onCreation(fieldSetter({ is_active: true })),
  ],
  [
    'LINK-CREATE-21',
    'In the description of a new link, characters of four bytes in UTF-8 become question marks.',
    onCreation(fieldConverter('description', replaceFourByteCharacters)),
  ],
  ['LINK-CREATE-22', 'A new link is always in EUR.', onCreation(fieldSetter({ currency: 'EUR' }))],
  [
    'LINK-CREATE-30',
    'The amount of a new link is divided by 100, also in a currency without decimal places.',
    onCreation((link) => link['currency'] === 'JPY' && Object.assign(link, { amount: Number(link['amount']) / 100 })),
  ],
  [
    'LINK-CREATE-23',
    'In the response to the creation of a link, a description that consists of digits becomes a number.',
    onCreation((link) => {
      const { description } = link;
      if (/^\d+$/.test(String(description))) Object.assign(link, { description: Number(description) });
    }),
  ],
  [
    'LINK-CREATE-28',
    'The `created_at` of a new link is local time in India, marked as UTC.',
    onCreation(
      fieldConverter('created_at', (time) => new Date(Date.parse(String(time)) + 330 * minuteMs).toISOString()),
    ),
  ],
];
