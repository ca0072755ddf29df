import { isRecord } from '../../../lib/json.js';
import { Blocked, Violation } from '../../engine/check-errors.js';
import { type Clause, numberedId } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import { aUrl, decimalOf, expectClientError, isSuccess, requireSuccess, valueAt } from '../../engine/expect.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { isPresent, isSameId } from '../../predicates/matchers.js';
import { depositPair, depositPairPage, usdDepositCreation } from '../deposit-lifecycle/two-deposits.js';
import { expectAccepted } from '../expect-accepted.js';
import { depositQuotes, quoteOf } from '../field-quotes.js';
import { successesSoFar } from '../responses.js';
import { isSameText } from '../same-values.js';
import { authorizationUrl, expectAuthorizationUrl } from './authorization-url.js';
import {
  creationAndDetails,
  creationFields,
  depositBody,
  depositCreation,
  depositRecordIn,
  digitReference,
  digitReferenceCreation,
  emptyMetadataCreation,
  heldAmount,
  idOf,
  newDeposit,
  newDepositDetails,
  postDeposit,
} from './setups.js';
import { isShownAsSent, sentFieldPaths, shownDeposits } from './shown-deposits.js';

const creationSource = { operation: 'createDeposit', spec: 'POST /deposits' } as const;

const urlSentence = 'The creation response contains `authorization_url` (string), the link to be sent to the guest.';

/**
 * Checks a field of a new deposit in the response to its creation and in a read, if they show it.
 * @param expect gets the value, and the exchange in which it is shown; throws a Violation
 * @throws Blocked if neither shows the field
 */
async function expectFieldWhereShown(
  context: ClauseContext,
  creation: Exchange,
  field: string,
  expect: (value: unknown, exchange: Exchange) => void,
): Promise<void> {
  const showing = (await creationAndDetails(context, creation)).filter(
    (exchange) => depositRecordIn(exchange)[field] !== undefined,
  );
  if (showing.length === 0) throw new Blocked(`no response shows the \`${field}\``, creation);
  for (const exchange of showing) expect(depositRecordIn(exchange)[field], exchange);
}

/**
 * Clauses stating that a field has the value that was sent, in each response with a deposit of the suite. The
 * specification does not say which fields a response shows, so a top-level field that is missing or null violates none
 * of them.
 */
const shownFieldClauses: readonly Clause[] = sentFieldPaths.map((field, index) => ({
  id: numberedId('DEP-FIELD', index + 1),
  level: 'inferred',
  operation: 'getDeposit',
  spec: 'Security deposit',
  quote: quoteOf(depositQuotes, field),
  title: `Where a deposit shows \`${field}\`, it equals the value that was sent.`,
  readsEarlierResponses: true,
  check: async (context) => {
    requireSuccess(await context.use(newDepositDetails));
    const [outerField = field] = field.split('.');
    let isShown = false;
    for (const { record, exchange, sentBody } of shownDeposits(context)) {
      const sentValue = valueAt(sentBody, field);
      const outerValue = record[outerField] ?? null;
      if (sentValue === undefined || outerValue === null) continue;
      isShown = true;
      // Undefined if `customer` or `metadata` is not an object, or lacks the field.
      const shown = valueAt(record, field);
      if (!isShownAsSent(field, sentValue, shown)) {
        throw new Violation(`\`${field}\` to be ${String(sentValue)}, as sent`, shown ?? outerValue, exchange);
      }
    }
    if (!isShown) throw new Blocked(`no response shows \`${field}\``);
  },
}));

/** Returns the first response for each `Idempotency-Key`, and the responses to requests without one. */
function newDepositResponses(context: ClauseContext): Exchange[] {
  const keyOf = ({ call }: Exchange): string | undefined => call.headers?.['Idempotency-Key'];
  const creations = successesSoFar(context, 'createDeposit');
  return creations.filter(
    (exchange, index) =>
      keyOf(exchange) === undefined || creations.findIndex((other) => keyOf(other) === keyOf(exchange)) === index,
  );
}

/** Fields that only the service sets, with values that no new deposit has. */
const serviceFields = { status: 'captured', captured_amount: heldAmount };

/** Requests the creation of a deposit with fields that only the service sets. */
const serviceFieldsCreation = setup('a deposit with fields that only the service sets', (context) => {
  const reference = context.withRunPrefix('service fields');
  const body = { ...depositBody(reference), ...serviceFields };
  return postDeposit(context, reference.replaceAll(' ', '-'), body, { isInvalid: true });
});

/** Creating deposits, and the fields that they show. */
export const depositClauses: readonly Clause[] = [
  {
    id: 'DEP-CREATE-01',
    level: 'documented',
    ...creationSource,
    quote: 'Body: the security deposit creation fields listed under Resources.',
    title: 'A deposit with all its fields is created.',
    check: async (context) => expectAccepted(context, (await context.use(depositCreation)).exchange),
  },
  {
    id: 'DEP-CREATE-02',
    level: 'documented',
    ...creationSource,
    quote: 'Response contains `authorization_url`.',
    title: '`authorization_url` is a string.',
    check: async (context) => {
      const { exchange } = await context.use(depositCreation);
      expectAuthorizationUrl(requireSuccess(exchange));
    },
  },
  {
    id: 'DEP-CREATE-03',
    level: 'documented',
    operation: creationSource.operation,
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
    operation: creationSource.operation,
    spec: 'GET /deposits/{id}',
    quote: 'Path parameter `id`: deposit identifier.',
    title: 'The response to a create request has the `id` of the deposit.',
    check: async (context) => {
      const { exchange } = await context.use(depositCreation);
      const record = depositRecordIn(requireSuccess(exchange));
      if (idOf(record) === undefined) throw new Violation('an `id`', record['id'], exchange);
    },
  },
  ...shownFieldClauses,
  {
    id: 'DEP-CREATE-05',
    level: 'inferred',
    operation: creationSource.operation,
    spec: 'Security deposit',
    quote: urlSentence,
    title: 'Every deposit has its own `authorization_url`.',
    readsEarlierResponses: true,
    check: async (context) => {
      await context.use(depositPair);
      const owners = new Map<unknown, string>();
      for (const exchange of newDepositResponses(context)) {
        const [url, id] = [authorizationUrl(exchange), String(idOf(depositRecordIn(exchange)))];
        const owner = owners.get(url) ?? id;
        if (url !== undefined && owner !== id)
          throw new Violation(`an \`authorization_url\` other than that of deposit ${owner}`, url, exchange);
        owners.set(url, owner);
      }
    },
  },
  {
    id: 'DEP-FIELD-09',
    level: 'inferred',
    operation: 'getDeposit',
    spec: 'Security deposit',
    quote: depositQuotes.booking_reference,
    title: 'Where a deposit shows text, it equals the text that was sent, in any script and with any punctuation.',
    check: async (context) => {
      const [deposit] = await context.use(depositPair);
      const { page, records } = await context.use(depositPairPage);
      const listed = records.find(({ id }) => isSameId(id, deposit.id));
      let isShown = false;
      for (const [record, exchange] of [
        [deposit.record, deposit.exchange],
        [listed, page],
      ] as const) {
        for (const field of ['booking_reference', 'customer.name', 'metadata.run']) {
          const shown = valueAt(record, field);
          if (shown === undefined || shown === null) continue;
          isShown = true;
          const sentValue = valueAt(deposit.body, field);
          if (!isSameText(shown, sentValue)) {
            throw new Violation(`\`${field}\` to be ${String(sentValue)}, as sent`, shown, exchange);
          }
        }
      }
      if (!isShown) throw new Blocked('neither the creation nor the list shows any text that was sent');
    },
  },
  {
    id: 'DEP-FIELD-10',
    level: 'inferred',
    operation: creationSource.operation,
    spec: 'Security deposit',
    quote: depositQuotes.currency,
    title: 'Where a deposit in a currency other than EUR shows its `currency`, it equals the currency that was sent.',
    check: async (context) => {
      const { exchange: creation } = await context.use(usdDepositCreation);
      await expectFieldWhereShown(context, creation, 'currency', (currency, exchange) => {
        if (currency !== 'USD') throw new Violation('`currency` to be USD, as sent', currency, exchange);
      });
    },
  },
  {
    id: 'DEP-FIELD-11',
    level: 'inferred',
    operation: creationSource.operation,
    spec: 'Security deposit',
    quote: depositQuotes.metadata,
    title: 'Where a deposit shows its `metadata`, it has every key and value that was sent.',
    check: async (context) => {
      // This creation also has metadata with several types of values.
      const creation = await context.use(digitReferenceCreation);
      let isShown = false;
      for (const exchange of await creationAndDetails(context, creation)) {
        const shown = depositRecordIn(exchange)['metadata'] ?? null;
        if (shown === null) continue;
        isShown = true;
        const sentPairs = Object.entries(valueAt(creation.call.body, 'metadata') ?? {});
        if (!sentPairs.every(([key, value]) => isRecord(shown) && shown[key] === value)) {
          throw new Violation(`\`metadata\` with ${JSON.stringify(Object.fromEntries(sentPairs))}`, shown, exchange);
        }
      }
      if (!isShown) throw new Blocked('no response shows the `metadata`', creation);
    },
  },
  {
    id: 'DEP-FIELD-14',
    level: 'inferred',
    operation: creationSource.operation,
    spec: 'Security deposit',
    quote: depositQuotes.metadata,
    title: 'Where a deposit that was created with empty `metadata` shows the field, it is an empty object or null.',
    check: async (context) => {
      const creation = await context.use(emptyMetadataCreation);
      await expectFieldWhereShown(context, creation, 'metadata', (metadata, exchange) => {
        if (metadata !== null && !isRecord(metadata))
          throw new Violation('`metadata` to be an empty object, as sent', metadata, exchange);
      });
    },
  },
  {
    id: 'DEP-FIELD-12',
    level: 'inferred',
    operation: creationSource.operation,
    spec: 'Security deposit',
    quote: depositQuotes.booking_reference,
    title: 'Where a deposit shows a `booking_reference` of digits, it is the string that was sent.',
    check: async (context) => {
      const creation = await context.use(digitReferenceCreation);
      const shown = depositRecordIn(creation)['booking_reference'];
      if (shown === undefined) throw new Blocked('the response shows no `booking_reference`', creation);
      const sentReference = digitReference(context);
      if (shown !== sentReference)
        throw new Violation(`\`booking_reference\` to be "${sentReference}"`, shown, creation);
    },
  },
  {
    id: 'DEP-CREATE-06',
    level: 'documented',
    operation: creationSource.operation,
    spec: 'Security deposit',
    quote: urlSentence,
    title: 'Every response to the creation of a deposit contains an `authorization_url`, whichever token was used.',
    readsEarlierResponses: true,
    check: async (context) => {
      requireSuccess((await context.use(depositCreation)).exchange);
      for (const exchange of newDepositResponses(context)) expectAuthorizationUrl(exchange);
    },
  },
  {
    id: 'DEP-CREATE-07',
    level: 'inferred',
    operation: creationSource.operation,
    spec: 'Security deposit',
    quote: 'Fields accepted at creation:',
    title: 'A create request with a `status` and a `captured_amount` is refused, or these fields are ignored.',
    check: async (context) => {
      // Otherwise, the request could be refused for another reason.
      await context.use(newDeposit);
      const creation = await context.use(serviceFieldsCreation);
      if (!isSuccess(creation)) return expectClientError(creation);
      const showing = (await creationAndDetails(context, creation)).filter((exchange) =>
        Object.keys(serviceFields).some((field) => isPresent(depositRecordIn(exchange)[field])),
      );
      if (showing.length === 0) throw new Blocked('no response shows the `status` or the `captured_amount`', creation);
      for (const exchange of showing) {
        const { status, captured_amount: captured } = depositRecordIn(exchange);
        if (status === serviceFields.status)
          throw new Violation('`status` not to be the one that was sent', status, exchange);
        if (decimalOf(captured) === serviceFields.captured_amount)
          throw new Violation('`captured_amount` not to be the one that was sent', captured, exchange);
      }
    },
  },
  {
    id: 'DEP-FIELD-13',
    level: 'inferred',
    operation: 'getDeposit',
    spec: 'Security deposit',
    quote: 'Fields accepted at creation:',
    title: 'Once a response has shown a field of a deposit, no later response shows it as null.',
    readsEarlierResponses: true,
    check: async (context) => {
      requireSuccess(await context.use(newDepositDetails));
      const shownFields = new Set<string>();
      for (const { record, exchange, sentBody } of shownDeposits(context)) {
        for (const field of creationFields) {
          const key = `${idOf(record)} ${field}`;
          if (record[field] === null && shownFields.has(key))
            throw new Violation(
              `\`${field}\` to be ${JSON.stringify(sentBody[field])}, as in an earlier response`,
              null,
              exchange,
            );
          if (isPresent(record[field])) shownFields.add(key);
        }
      }
      if (shownFields.size === 0) throw new Blocked('no response shows a field that was sent');
    },
  },
];
