import { isRecord } from '../../../lib/json.js';
import { Skip, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import { type Delivery, objectsOf } from '../../engine/delivery.js';
import { valueAt } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import { operationOf } from '../../engine/operations.js';
import type { ClauseContext } from '../../engine/session.js';
import { isPresent, isSameId } from '../../predicates/matchers.js';
import { isShownAsSent, sentFieldPaths } from '../deposits/shown-deposits.js';
import { paymentQuotes } from '../field-quotes.js';
import { recordOf, recordsIn } from '../fields.js';
import { paymentStatuses } from '../payments/setups.js';
import { successesSoFar } from '../responses.js';
import { isSameText } from '../same-values.js';
import { deliveries } from './all-deliveries.js';
import { type EventName, eventNameOf, isPaymentSucceeded, linksWithDeliveries } from './setups.js';

/**
 * Common to clauses stating that webhooks show the same values as the API. The specification does not say which fields
 * a payload has, so a field that is missing or null violates none of them.
 */
const common = { level: 'inferred', operation: null, readsEarlierResponses: true } as const;

/** Events in which an `amount` is that of the deposit. In others, it may be the amount that the event is about. */
const eventsBeforeCapture: readonly (string | undefined)[] = [
  'deposit.created',
  'deposit.authorized',
  'deposit.failed',
] satisfies EventName[];

/** Bodies of the requests to create deposits, even of those that were refused. */
const sentDeposits = ({ session }: ClauseContext): JsonObject[] =>
  session.sentRequests
    .filter(({ call }) => operationOf(call)?.id === 'createDeposit')
    .map(({ call }) => call.body)
    .filter(isRecord);

/** Finds the payments of a link in the lists of payments that the suite has read. */
const listedPayments = (context: ClauseContext, link: JsonObject): JsonObject[] =>
  successesSoFar(context, 'listPayments')
    .flatMap((page) => recordsIn(page, 'listPayments'))
    .map(recordOf)
    .filter(isRecord)
    .filter((payment) => payment['payment_link_id'] === link['id']);

/**
 * Fields that are usually the same for all payments of a link. A webhook may show the `status` of any of them, since
 * only the driver changes it.
 */
const linkPaymentFields = ['amount', 'currency', 'status', 'payment_link_url'] as const;
/** Fields that may differ between two payments of a link. */
const ownPaymentFields = ['reference', 'payment_method'] as const;

/** A value that a webhook shows. */
interface ShownValue {
  readonly delivery: Delivery;
  readonly field: string;
  readonly shown: unknown;
  /** The values that the API has shown or received; empty if no value is right, since the deposit was never sent. */
  readonly allowed: readonly unknown[];
}

/**
 * Returns the `metadata` of a deposit, which must have all members that the client sent; null if the deposit has none.
 * The envelope of a webhook, which has the name of the event, may have metadata of its own, so it is ignored.
 */
function depositMetadataOf(record: JsonObject): JsonObject | null {
  const { metadata, event, type } = record;
  return isRecord(metadata) && event === undefined && type === undefined ? metadata : null;
}

/** Lists the values that a webhook shows of fields that were sent with a new deposit. */
function* shownDepositValues(
  context: ClauseContext,
  sentBodies: readonly JsonObject[],
  delivery: Delivery,
): Generator<ShownValue> {
  for (const record of objectsOf(delivery)) {
    // Of all records, only deposits have a `booking_reference`.
    const reference = record['booking_reference'] ?? null;
    const sent = sentBodies.filter((body) => isSameText(body['booking_reference'], reference));
    if (sent.length === 0 && String(reference).includes(context.session.prefix))
      yield { delivery, field: 'booking_reference', shown: reference, allowed: [] };
    for (const field of sentFieldPaths) {
      if (field === 'amount' && !eventsBeforeCapture.includes(eventNameOf(delivery))) continue;
      // Metadata without the member `run` is shown as a whole, and is a violation.
      const shown = valueAt(record, field) ?? (field === 'metadata.run' ? depositMetadataOf(record) : null);
      const allowed = sent.map((body) => valueAt(body, field));
      // If a request did not send the field, the target chose its value.
      if (shown !== null && allowed.length > 0 && !allowed.includes(undefined))
        yield { delivery, field, shown, allowed };
    }
  }
}

/** True if the driver has paid a link only once, so that all webhooks about it are about the same payment. */
const isPaidOnce = ({ session }: ClauseContext, link: JsonObject): boolean =>
  session.driverCalls.filter(({ method, record }) => method === 'payLink' && record?.['id'] === link['id']).length ===
  1;

/** Lists the values that a webhook shows of fields of a link's payment. @param payments the listed payments of the link */
function* shownPaymentValues(
  context: ClauseContext,
  link: JsonObject,
  payments: readonly JsonObject[],
  delivery: Delivery,
): Generator<ShownValue> {
  const records = objectsOf(delivery);
  // Beside a nested payment, the fields of the outermost object may be those of the event.
  const isFlat = !records.slice(1).some((record) => isPresent(record['amount']));
  const onlyPayment = isFlat && isPaidOnce(context, link) ? payments : [];
  for (const [index, record] of records.entries()) {
    if (String(record['payment_link_id']) !== String(link['id'])) continue;
    // The id in the outermost object may be that of the event, and equal the id of another payment by chance.
    const samePayment = index === 0 ? onlyPayment : payments.filter(({ id }) => isSameId(id, record['id']));
    for (const field of [...linkPaymentFields, ...ownPaymentFields]) {
      const shown = record[field] ?? null;
      const listed = linkPaymentFields.some((name) => name === field) ? payments : samePayment;
      const allowed = listed.map((payment) => payment[field] ?? null).filter((value) => value !== null);
      // A status with a name that payments do not have may be that of the event.
      const isOtherStatus = field === 'status' && !paymentStatuses.some((status) => status === shown);
      if (shown !== null && allowed.length > 0 && !isOtherStatus) yield { delivery, field, shown, allowed };
    }
  }
}

/**
 * True if a webhook shows a value in another form than the API: an amount in hundredths, text in another case, or
 * with a part replaced by asterisks. The specification does not say how payloads show fields.
 */
function isOtherForm(field: string, value: unknown, shown: unknown): boolean {
  if (field === 'amount') return Number(shown) === Math.round(Number(value) * 100);
  if (typeof value !== 'string' || typeof shown !== 'string') return false;
  return shown.includes('*') || shown.toLowerCase() === value.toLowerCase();
}

/** @throws Violation if a value is not allowed; Skip if there are no values */
function expectAllowed(values: readonly ShownValue[], recordName: string): void {
  if (values.length === 0) throw new Skip({ missing: `a ${recordName}`, reason: 'no webhook shows its fields' });
  for (const { delivery, field, shown, allowed } of values) {
    if (allowed.some((value) => isShownAsSent(field, value, shown) || isOtherForm(field, value, shown))) continue;
    const expected = allowed.length === 0 ? 'a value that was sent' : [...new Set(allowed.map(String))].join(' or ');
    throw new Violation(`\`${field}\` of the ${recordName} to be ${expected}`, shown, delivery);
  }
}

/** Webhooks: the values that they show of deposits and payments. */
export const shownRecordClauses: readonly Clause[] = [
  {
    ...common,
    id: 'HOOK-BODY-05',
    spec: 'Security deposit',
    quote: 'Fields accepted at creation:',
    title: 'Where a webhook shows a field that was sent with a new deposit, it has the value that was sent.',
    check: async (context) => {
      const found = await context.use(deliveries);
      const sentBodies = sentDeposits(context);
      expectAllowed(
        found.flatMap((delivery) => [...shownDepositValues(context, sentBodies, delivery)]),
        'deposit',
      );
    },
  },
  {
    ...common,
    id: 'HOOK-PAY-05',
    spec: 'Payment',
    quote: `${paymentQuotes.amount} … ${paymentQuotes.reference}`,
    title:
      'Where a webhook shows fields of the payment of a link, they have the same values as in the list of payments.',
    check: async (context) => {
      const links = await context.use(linksWithDeliveries);
      expectAllowed(
        links.flatMap(({ link: { record }, deliveries: found }) => {
          const payments = listedPayments(context, record);
          return found
            .filter(isPaymentSucceeded)
            .flatMap((delivery) => [...shownPaymentValues(context, record, payments, delivery)]);
        }),
        'payment',
      );
    },
  },
];
