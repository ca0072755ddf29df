import type { Clause } from '../../engine/clause.js';
import { type Delivery, leavesOf } from '../../engine/delivery.js';
import { jsonOf } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { Blocked, Violation } from '../../engine/verdict.js';
import { eventRows, jsonSentence } from '../field-rows.js';
import { paidLink, unusualText } from '../payment-links/setups.js';
import {
  awaitDepositDelivery,
  deliveries,
  depositDeliveries,
  type EventName,
  eventNameOf,
  eventNames,
  eventSteps,
  isLinkPaymentPaid,
  paymentDeliveries,
  unusualPaymentDelivery,
} from './setups.js';

const common = { operation: null, spec: 'Events' } as const;

const descriptionSentence =
  'The description given to a payment link appears in all webhook payloads for payments of that link.';

const sentClauses: readonly Clause[] = [
  {
    ...common,
    id: 'HOOK-SENT-01',
    level: 'documented',
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
    level: 'documented',
    spec: 'What the service does',
    quote: '- receive signed webhook notifications about payments and deposits.',
    title: 'Webhooks about deposits are sent.',
    check: async (context) => {
      await context.use(eventSteps['deposit.created']);
      if ((await context.use(depositDeliveries)).length > 0) return;
      throw new Violation('webhooks about the deposits', `none within ${timeoutText(context)}`);
    },
  },
];

/** Formats the time that the suite has waited, with the option that extends it. */
function timeoutText({ session }: ClauseContext): string {
  return `${session.eventuallyTimeoutMs / 1_000} s (--webhook-timeout)`;
}

/** When each event occurs, as its name suggests. */
const occasions: Readonly<Record<EventName, string>> = {
  'payment.succeeded': 'a link is paid',
  'deposit.created': 'a deposit is created',
  'deposit.authorized': 'the guest authorizes a deposit',
  'deposit.partially_captured': 'a part of a deposit is captured',
  'deposit.captured': 'a deposit is captured',
  'deposit.released': 'a deposit is released',
  'deposit.expired': 'the authorization of a deposit expires',
  'deposit.failed': 'the card for a deposit is declined',
};

/** The specification gives only the names of most events, which suggest when they occur; hence the level `inferred`. */
const eventClauses: readonly Clause[] = eventNames.map((event, index) => ({
  ...common,
  id: `HOOK-EVENT-0${index + 1}`,
  level: event === 'deposit.expired' || event === 'payment.succeeded' ? 'documented' : 'inferred',
  quote: eventRows[event],
  title: `\`${event}\` is sent when ${occasions[event]}.`,
  check: async (context) => {
    if (await hasArrived(context, event)) return;
    throw new Violation(`a webhook \`${event}\``, `none within ${timeoutText(context)}`);
  },
}));

/** True if a webhook with the event has arrived, or arrives before the timeout. */
async function hasArrived(context: ClauseContext, event: EventName): Promise<boolean> {
  if (event === 'payment.succeeded') {
    if ((await context.use(paymentDeliveries)).some((delivery) => eventNameOf(delivery) === event)) return true;
    if (!(await isLinkPaymentPaid(context))) throw new Blocked('the payment is not listed as `paid`');
    return false;
  }
  return (await awaitDepositDelivery(context, event, eventSteps[event])) !== undefined;
}

const payloadClauses: readonly Clause[] = [
  {
    ...common,
    id: 'HOOK-PAY-01',
    level: 'documented',
    quote: descriptionSentence,
    title: 'The payload of a webhook about a payment includes the `description` that was given to the link.',
    check: async (context) => {
      const { body } = await context.use(paidLink);
      expectFieldInEach(await context.use(paymentDeliveries), 'description', String(body['description']));
    },
  },
  {
    ...common,
    id: 'HOOK-PAY-02',
    level: 'documented',
    quote: eventRows['payment.succeeded'],
    title: 'The payload of `payment.succeeded` includes the `payment_link_id` of the link.',
    check: async (context) => {
      const { record } = await context.use(paidLink);
      const successes = (await context.use(paymentDeliveries)).filter(
        (delivery) => eventNameOf(delivery) === 'payment.succeeded',
      );
      expectFieldInEach(successes, 'payment_link_id', String(record['id']));
    },
  },
  {
    ...common,
    id: 'HOOK-PAY-03',
    level: 'documented',
    quote: descriptionSentence,
    title: 'The payload of a webhook about a payment includes the description as it was sent, in any script.',
    check: async (context) => {
      const delivery = await context.use(unusualPaymentDelivery);
      const sent = unusualText(context);
      const got = leavesOf(delivery).filter(({ name }) => name === 'description');
      if (!got.some(({ text }) => text.normalize() === sent.normalize())) {
        throw new Violation(`a \`description\` that is ${sent}`, got.map(({ text }) => text).join(', '), delivery);
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
        if (jsonOf(delivery.text) === undefined) throw new Violation('a body that is JSON', delivery.text, delivery);
      }
    },
  },
];

/** @throws Violation unless each delivery about the payment has the value in a field of that name, at any depth */
function expectFieldInEach(found: readonly Delivery[], name: string, expected: string): void {
  if (found.length === 0) throw new Blocked('no webhook about the payment has arrived');
  for (const delivery of found) {
    const fields = leavesOf(delivery).filter((leaf) => leaf.name === name);
    if (!fields.some(({ text }) => text === expected)) {
      throw new Violation(
        `a \`${name}\` that is ${expected}`,
        fields.map(({ text }) => text).join(', ') || undefined,
        delivery,
      );
    }
  }
}

/** Webhooks: when they are sent, and their contents. */
export const webhookClauses: readonly Clause[] = [...sentClauses, ...eventClauses, ...payloadClauses];
