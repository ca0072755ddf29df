import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import { type Delivery, leavesOf, objectsOf } from '../../engine/delivery.js';
import { timeoutText } from '../../engine/eventually.js';
import { anInteger } from '../../engine/expect.js';
import { formatExactJson, type JsonObject, parseExactJson } from '../../engine/json.js';
import { isPresent } from '../../predicates/matchers.js';
import { depositStatuses } from '../deposits/setups.js';
import {
  depositStatusSentence,
  eventQuotes,
  jsonSentence,
  paymentQuotes,
  webhookHeaderQuotes,
} from '../field-quotes.js';
import { type PaidLink, unusualText } from '../payment-links/setups.js';
import { deliveries } from './all-deliveries.js';
import { creationEventClauses } from './creation-clauses.js';
import { eventClauses } from './event-clauses.js';
import {
  depositDeliveries,
  eventNameOf,
  eventSteps,
  isLinkPaymentPaid,
  isPaymentSucceeded,
  type LinkWithDeliveries,
  linksWithDeliveries,
  paymentDeliveries,
  unusualPaymentDelivery,
} from './setups.js';
import { shownRecordClauses } from './shown-record-clauses.js';

const common = { level: 'documented', operation: null, spec: 'Events' } as const;

const descriptionSentence =
  'The description given to a payment link appears in all webhook payloads for payments of that link.';

/** Webhooks: when they are sent, and their contents. */
export const webhookClauses: readonly Clause[] = [
  {
    ...common,
    id: 'HOOK-SENT-01',
    spec: 'What the service does',
    quote: '- receive signed webhook notifications about payments and deposits.',
    title: 'A webhook about a payment is sent.',
    check: async (context) => {
      if ((await context.use(paymentDeliveries)).length > 0) return;
      if (!(await isLinkPaymentPaid(context))) throw new Blocked('the payment is not listed as `paid`');
      throw new Violation('a webhook about the payment of the link', `none within ${timeoutText(context)}`);
    },
  },
  {
    ...common,
    id: 'HOOK-SENT-02',
    spec: 'What the service does',
    quote: '- receive signed webhook notifications about payments and deposits.',
    title: 'Webhooks about deposits are sent.',
    check: async (context) => {
      await context.use(eventSteps['deposit.created']);
      if ((await context.use(depositDeliveries)).length > 0) return;
      throw new Violation('webhooks about the deposits', `none within ${timeoutText(context)}`);
    },
  },
  ...eventClauses,
  ...creationEventClauses,
  ...shownRecordClauses,
  {
    ...common,
    id: 'HOOK-PAY-01',
    quote: descriptionSentence,
    title: 'The payload of a webhook about a payment includes the `description` that was given to the link.',
    check: async (context) => {
      const links = await context.use(linksWithDeliveries);
      // HOOK-PAY-03 checks the link with an unusual description.
      const unusualDescription = unusualText(context);
      expectFieldInEach(
        links.filter(({ link }) => link.body['description'] !== unusualDescription),
        'description',
        ({ body }) => body['description'],
        includesText,
      );
    },
  },
  {
    ...common,
    id: 'HOOK-PAY-02',
    quote: eventQuotes['payment.succeeded'],
    title: 'The payload of `payment.succeeded` includes the `payment_link_id` of the link.',
    check: async (context) =>
      expectFieldInEach(
        (await context.use(linksWithDeliveries)).map(({ link, deliveries: found }) => ({
          link,
          deliveries: found.filter(isPaymentSucceeded),
        })),
        'payment_link_id',
        ({ record }) => record['id'],
      ),
  },
  {
    ...common,
    id: 'HOOK-PAY-03',
    quote: descriptionSentence,
    title: 'The payload of a webhook about a payment includes the description as it was sent, in any script.',
    check: async (context) => {
      const delivery = await context.use(unusualPaymentDelivery);
      const sent = unusualText(context);
      const got = leavesOf(delivery).filter(({ name }) => name === 'description');
      if (!got.some(({ text }) => includesText(text, sent))) {
        throw new Violation(
          `a \`description\` that includes ${sent}`,
          got.map(({ text }) => text).join(', '),
          delivery,
        );
      }
    },
  },
  {
    ...common,
    id: 'HOOK-PAY-04',
    // The specification gives the type of the field in a payment, and only its name in a payload.
    level: 'inferred',
    spec: 'Payment',
    quote: paymentQuotes.payment_link_id,
    title: 'Where the payload of a webhook shows the `payment_link_id` of a link, it is an integer.',
    check: async (context) => {
      const shown = (await context.use(deliveries)).flatMap((delivery) =>
        objectsOf(delivery)
          .filter((record) => isPresent(record['payment_link_id']))
          .map((record) => ({ delivery, id: record['payment_link_id'] })),
      );
      if (shown.length === 0)
        throw new Skip({ missing: 'a `payment_link_id`', reason: 'no webhook shows one in JSON' });
      for (const { delivery, id } of shown) {
        if (!anInteger.matches(id))
          throw new Violation('a `payment_link_id` that is an integer', formatExactJson(id), delivery);
      }
    },
  },
  {
    ...common,
    id: 'HOOK-BODY-01',
    level: 'inferred',
    spec: 'What the service does',
    quote: jsonSentence,
    title: 'The body of a delivery is JSON.',
    check: async (context) => {
      for (const delivery of await context.use(deliveries)) {
        if (parseExactJson(delivery.text) === undefined)
          throw new Violation('a body that is JSON', delivery.text, delivery);
      }
    },
  },
  {
    ...common,
    id: 'HOOK-BODY-04',
    level: 'inferred',
    spec: 'What the service does',
    quote: jsonSentence,
    title: 'A delivery whose body is JSON has a JSON content type.',
    check: async (context) => {
      const withJson = (await context.use(deliveries)).filter(({ text }) => parseExactJson(text) !== undefined);
      if (withJson.length === 0) throw new Skip({ missing: 'a webhook with JSON', reason: 'no body is JSON' });
      for (const delivery of withJson) {
        const type = delivery.headers['content-type'];
        if (!/\bjson\b/i.test(type ?? '')) throw new Violation('a JSON content type', type, delivery);
      }
    },
  },
  {
    ...common,
    id: 'HOOK-BODY-02',
    // The specification does not say which fields of a deposit a payload has.
    level: 'inferred',
    spec: 'Security deposit',
    quote: depositStatusSentence,
    title: 'If a webhook shows the `status` of a deposit, it is one of the documented statuses.',
    check: async (context) => {
      const shown = (await context.use(deliveries)).flatMap((delivery) =>
        statusesIn(delivery).map((status) => ({ delivery, status })),
      );
      if (shown.length === 0) throw new Skip({ missing: 'a deposit with a `status`', reason: 'no webhook shows one' });
      for (const { delivery, status } of shown) {
        if (!depositStatuses.some((name) => name === status))
          throw new Violation(`a \`status\` that is one of ${depositStatuses.join(', ')}`, status, delivery);
      }
    },
  },
  {
    ...common,
    id: 'HOOK-BODY-03',
    // A webhook may be written before the change that it is about is saved.
    level: 'inferred',
    quote: webhookHeaderQuotes['X-Service-Event'],
    title: 'If a webhook shows the `status` of a deposit, it is not the status from before the event.',
    check: async (context) => {
      const shown = (await context.use(deliveries)).flatMap((delivery) => {
        const statuses = statusesIn(delivery);
        const before = statusesBefore.get(eventNameOf(delivery));
        return before && statuses.length > 0 ? [{ delivery, statuses, before }] : [];
      });
      if (shown.length === 0)
        throw new Skip({
          missing: 'a deposit with a `status`',
          reason: `no webhook of the events ${[...statusesBefore.keys()].join(', ')} shows one`,
        });
      for (const { delivery, statuses, before } of shown) {
        // A payload may also show the deposit as it was before.
        if (statuses.every((status) => before.some((earlier) => earlier === status)))
          throw new Violation(`another \`status\` in \`${eventNameOf(delivery)}\``, statuses[0], delivery);
      }
    },
  },
];

/**
 * Statuses that a deposit has before an event, and certainly not after it. `deposit.failed` is missing, since the
 * specification does not say which status follows a declined card; after a partial capture, the deposit may be
 * `partially_captured` or `captured`.
 */
const statusesBefore: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ['deposit.authorized', ['pending']],
  ['deposit.partially_captured', ['pending', 'authorized']],
  ['deposit.captured', ['pending', 'authorized', 'partially_captured']],
  ['deposit.released', ['pending', 'authorized', 'partially_captured']],
  ['deposit.expired', ['pending', 'authorized', 'partially_captured']],
]);

/** Statuses of deposits that a webhook shows. */
function statusesIn(delivery: Delivery): unknown[] {
  return objectsOf(delivery)
    .filter(isDepositWithStatus)
    .map(({ status }) => status);
}

/** True for a deposit that shows its status. Of all records, only deposits have a `booking_reference`. */
function isDepositWithStatus(record: JsonObject): boolean {
  return 'booking_reference' in record && isPresent(record['status']);
}

/**
 * True if a text includes another: a payload may extend the description of a link, as in `Payment for ‹description›`.
 */
function includesText(text: string, expected: string): boolean {
  return text.normalize().includes(expected.normalize());
}

/**
 * Expects that each delivery about the payment of a link has a field of that name, at any depth, whose value matches the
 * one that `expectedOf` returns for the link.
 * @param matches compares the values as texts; default: they must be equal
 * @throws Violation if a delivery does not have that field with that value; Blocked if there are no deliveries
 */
function expectFieldInEach(
  links: readonly LinkWithDeliveries[],
  name: string,
  expectedOf: (link: PaidLink) => unknown,
  matches: (text: string, expected: string) => boolean = (text, expected) => text === expected,
): void {
  if (links.every(({ deliveries: found }) => found.length === 0))
    throw new Blocked('no webhook about a payment has arrived');
  for (const { link, deliveries: found } of links) {
    const expected = String(expectedOf(link));
    for (const delivery of found) {
      const fields = leavesOf(delivery).filter((leaf) => leaf.name === name);
      if (!fields.some(({ text }) => matches(text, expected))) {
        throw new Violation(
          `a \`${name}\` with ${expected}`,
          fields.map(({ text }) => text).join(', ') || undefined,
          delivery,
        );
      }
    }
  }
}
