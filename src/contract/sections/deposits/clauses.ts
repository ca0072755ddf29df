import type { Clause } from '../../engine/clause.js';
import { aUrl, nonEmptyString, requireSuccess, valueAt } from '../../engine/expect.js';
import { Blocked, Violation } from '../../engine/verdict.js';
import { depositPair, depositPairPage, usdDeposit } from '../deposit-lifecycle/two-deposits.js';
import { expectAccepted } from '../expect-accepted.js';
import { depositQuotes, quoteOf } from '../field-quotes.js';
import { isSameText, isSameValue } from '../same-values.js';
import { authorizationUrl, depositCreation, depositRecordIn, newDeposit, newDepositDetails } from './setups.js';

const common = { operation: 'createDeposit', spec: 'POST /deposits' } as const;

const urlSentence = 'The creation response contains `authorization_url` (string), the link to be sent to the guest.';

const creationClauses: readonly Clause[] = [
  {
    id: 'DEP-CREATE-01',
    level: 'documented',
    ...common,
    quote: 'Body: the security deposit creation fields listed under Resources.',
    title: 'A deposit with all its fields is created.',
    check: async (context) => expectAccepted(context, (await context.use(depositCreation)).exchange),
  },
  {
    id: 'DEP-CREATE-02',
    level: 'documented',
    ...common,
    quote: 'Response contains `authorization_url`.',
    title: '`authorization_url` is a string.',
    check: async (context) => {
      const { exchange } = await context.use(depositCreation);
      const url = authorizationUrl(requireSuccess(exchange));
      if (!nonEmptyString.matches(url))
        throw new Violation('an `authorization_url` that is a non-empty string', url, exchange);
    },
  },
  {
    id: 'DEP-CREATE-03',
    level: 'documented',
    operation: common.operation,
    spec: 'Security deposit',
    quote: urlSentence,
    title: '`authorization_url` is a link.',
    check: async (context) => {
      const { exchange } = await context.use(depositCreation);
      const url = authorizationUrl(requireSuccess(exchange));
      if (!aUrl.matches(url)) throw new Violation('an `authorization_url` that is a URL', url, exchange);
    },
  },
  {
    id: 'DEP-CREATE-04',
    level: 'inferred',
    operation: common.operation,
    spec: 'GET /deposits/{id}',
    quote: 'Path parameter `id`: deposit identifier.',
    title: 'The response to a creation has the `id` of the deposit.',
    check: async (context) => {
      const { exchange } = await context.use(depositCreation);
      const id = depositRecordIn(requireSuccess(exchange))?.['id'];
      if (typeof id !== 'number' && typeof id !== 'bigint' && !nonEmptyString.matches(id))
        throw new Violation('an `id`', id, exchange);
    },
  },
];

const pairClauses: readonly Clause[] = [
  {
    id: 'DEP-CREATE-05',
    level: 'inferred',
    operation: common.operation,
    spec: 'Security deposit',
    quote: urlSentence,
    title: 'Every deposit has its own `authorization_url`.',
    check: async (context) => {
      const [first, second] = await context.use(depositPair);
      const [firstUrl, secondUrl] = [first, second].map(({ exchange }) => authorizationUrl(exchange));
      if (firstUrl === secondUrl) {
        throw new Violation(`an \`authorization_url\` other than ${String(firstUrl)}`, secondUrl, second.exchange);
      }
    },
  },
  {
    id: 'DEP-FIELD-09',
    level: 'inferred',
    operation: 'getDeposit',
    spec: 'Security deposit',
    quote: depositQuotes.booking_reference,
    title: 'Where a deposit shows text, it equals the text that was sent, in any script.',
    check: async (context) => {
      const [deposit] = await context.use(depositPair);
      const listed = (await context.use(depositPairPage)).rows.find(({ id }) => String(id) === String(deposit.id));
      let isShown = false;
      for (const record of [deposit.record, listed]) {
        for (const field of ['booking_reference', 'customer.name', 'metadata.run']) {
          const shown = valueAt(record, field);
          if (shown === undefined || shown === null) continue;
          isShown = true;
          const sentValue = valueAt(deposit.body, field);
          if (!isSameText(shown, sentValue)) {
            throw new Violation(`\`${field}\` to be ${String(sentValue)}, as sent`, shown, deposit.exchange);
          }
        }
      }
      if (!isShown) throw new Blocked('neither the creation nor the list shows any text that was sent');
    },
  },
  {
    id: 'DEP-FIELD-10',
    level: 'inferred',
    operation: common.operation,
    spec: 'Security deposit',
    quote: depositQuotes.currency,
    title: 'Where a deposit in a currency other than EUR shows its `currency`, it equals the currency that was sent.',
    check: async (context) => {
      const exchange = await context.use(usdDeposit);
      const currency = depositRecordIn(exchange)?.['currency'];
      if (currency === undefined) throw new Blocked('the response shows no `currency`', exchange);
      if (currency !== 'USD') throw new Violation('`currency` to be USD, as sent', currency, exchange);
    },
  },
];

/** Paths of fields of a creation, in the order of the clause ids `DEP-FIELD-01` to `DEP-FIELD-08`. */
const fieldPaths = [
  'booking_reference',
  'amount',
  'currency',
  'customer.name',
  'customer.email',
  'check_in_date',
  'check_out_date',
  'metadata.run',
] as const;

/**
 * Clauses stating that a field has the value that was sent. The specification does not say which fields a response
 * shows, so a field that is missing or null violates none of them.
 */
const shownFieldClauses: readonly Clause[] = fieldPaths.map((field, index) => ({
  id: `DEP-FIELD-0${index + 1}`,
  level: 'inferred',
  operation: 'getDeposit',
  spec: 'Security deposit',
  quote: quoteOf(depositQuotes, field),
  title: `Where a deposit shows \`${field}\`, it equals the value that was sent.`,
  check: async (context) => {
    const { exchange, body } = await context.use(newDeposit);
    const sentValue = valueAt(body, field);
    let isShown = false;
    for (const page of [exchange, await context.use(newDepositDetails)]) {
      const shown = valueAt(depositRecordIn(requireSuccess(page)), field);
      if (shown === undefined || shown === null) continue;
      isShown = true;
      // A date may be shown as a timestamp on that day: `2026-03-01T00:00:00Z`.
      const isTimestampOnThatDay =
        typeof shown === 'string' && field.endsWith('_date') && shown.startsWith(String(sentValue));
      if (!isSameValue(sentValue, shown) && !isTimestampOnThatDay) {
        throw new Violation(`\`${field}\` to be ${String(sentValue)}, as sent`, shown, page);
      }
    }
    if (!isShown) throw new Blocked(`neither the creation nor the detail shows \`${field}\``);
  },
}));

/** Deposits: creation. */
export const depositClauses: readonly Clause[] = [...creationClauses, ...shownFieldClauses, ...pairClauses];
