import { DriverError } from '../../drivers/driver.js';
import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import type { Check, Clause } from '../../engine/clause.js';
import { type Delivery, eventOf, leavesOf, pathWithoutQuery } from '../../engine/delivery.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { ClauseContext } from '../../engine/session.js';
import { unicodeDepositDelivery } from '../deposit-lifecycle/two-deposits.js';
import { webhookHeaderQuotes } from '../field-quotes.js';
import { webhookReceiver } from '../webhook-receiver.js';
import { deliveries } from '../webhooks/all-deliveries.js';
import { eventNames, isPaymentEvent, unusualPaymentDelivery } from '../webhooks/setups.js';
import { webhooksAfterUrlChange } from '../webhooks/webhooks-after-url-change.js';
import { deliveryAfterRotation, paymentDeliveryAfterRotation, retry } from './setups.js';

const common = { level: 'documented', operation: null, spec: 'Events' } as const;

const urlSentence = "Webhooks are sent to a single URL configured in the account's API settings.";

/** Fields in which a body may name its event. */
const eventFields: readonly string[] = ['event', 'event_name', 'event_type', 'type'];

/** Creates a check of each selected delivery (a webhook that arrived). By default, all are selected. */
function deliveryCheck(
  checkDelivery: (delivery: Delivery, context: ClauseContext) => unknown,
  isSelected: (delivery: Delivery) => boolean = () => true,
): Check {
  return async (context) => {
    const selected = (await context.use(deliveries)).filter(isSelected);
    if (selected.length === 0) throw new Blocked('no webhook that this clause checks has arrived');
    for (const delivery of selected) await checkDelivery(delivery, context);
  };
}

const isDepositEvent = (delivery: Delivery): boolean => !isPaymentEvent(delivery);

/**
 * Returns the digest in a signature as hex; undefined if the signature is malformed. The specification leaves the
 * encoding of the digest open: hex, base64 or base64url.
 */
function digestIn(signature: string): string | undefined {
  const text = /^sha256=(.+)$/s.exec(signature)?.[1] ?? '';
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined;
  return Buffer.from(text, 'base64').toString('hex');
}

/**
 * Digests in the headers of a delivery. The specification leaves open which header has the digest of a payment event,
 * so all headers are searched.
 */
function digestsOf(delivery: Delivery): string[] {
  const { 'x-service-signature': documented, ...others } = delivery.headers;
  const signatures = isPaymentEvent(delivery) ? [documented, ...Object.values(others)] : [documented];
  return signatures.flatMap((signature) => digestIn(signature ?? '') ?? []);
}

/** @throws Violation unless the delivery has the header `X-Service-Event` */
function expectEventHeader(delivery: Delivery): void {
  if (!eventOf(delivery)) throw new Violation('an `X-Service-Event` header', eventOf(delivery), delivery);
}

/** @throws Violation unless a header has a digest in the documented form */
function expectDigest(delivery: Delivery): void {
  if (digestsOf(delivery).length > 0) return;
  const expectedHeader = isPaymentEvent(delivery) ? 'a header' : '`X-Service-Signature`';
  const got = isPaymentEvent(delivery) ? delivery.headers : delivery.headers['x-service-signature'];
  throw new Violation(`${expectedHeader} with \`sha256=\` and a SHA-256 digest`, got, delivery);
}

/** @throws Violation unless a header has the digest of the body, keyed with the secret */
function expectMatchingDigest(delivery: Delivery): void {
  const { digest: expectedDigest } = delivery;
  if (expectedDigest === undefined)
    throw new Skip({ missing: '--webhook-secret', reason: 'without it, signatures cannot be computed' });
  const sentDigests = digestsOf(delivery);
  if (sentDigests.length === 0) throw new Blocked('the delivery has no digest in its headers');
  if (!sentDigests.includes(expectedDigest)) {
    throw new Violation(
      `the digest ${expectedDigest} of the raw body, keyed with the secret`,
      sentDigests.join(', '),
      delivery,
    );
  }
}

/** Headers, signatures and addresses of webhooks. */
export const webhookSignatureClauses: readonly Clause[] = [
  {
    ...common,
    id: 'HOOK-HEAD-01',
    quote: webhookHeaderQuotes['X-Service-Event'],
    title: 'A delivery has the name of its event in `X-Service-Event`.',
    check: deliveryCheck(expectEventHeader),
  },
  {
    ...common,
    id: 'HOOK-HEAD-02',
    quote: 'Event names:',
    title: 'The name of an event is one of the documented names.',
    check: deliveryCheck((delivery) => {
      const name = eventOf(delivery);
      if (name !== undefined && !eventNames.some((known) => known === name)) {
        throw new Violation(`\`X-Service-Event\` to be one of ${eventNames.join(', ')}`, name, delivery);
      }
    }),
  },
  {
    ...common,
    id: 'HOOK-HEAD-05',
    // The specification does not say which fields a body has.
    level: 'inferred',
    quote: webhookHeaderQuotes['X-Service-Event'],
    title: 'If the body of a delivery names an event, it is the event in `X-Service-Event`.',
    check: deliveryCheck((delivery) => {
      const event = eventOf(delivery);
      const named = leavesOf(delivery)
        .filter(({ name, text }) => eventFields.includes(name) && eventNames.some((known) => known === text))
        .map(({ text }) => text);
      if (event !== undefined && named.length > 0 && !named.includes(event))
        throw new Violation(`the event ${event} in the body`, named.join(', '), delivery);
    }),
  },
  {
    ...common,
    id: 'HOOK-HEAD-03',
    spec: 'Authentication',
    quote: '4. Webhook deliveries are authenticated by a signature, not by a bearer token (see Events).',
    title: 'A delivery has no bearer token.',
    check: deliveryCheck((delivery) => {
      const { headers } = delivery;
      if (/^bearer\b/i.test(headers['authorization'] ?? '')) {
        throw new Violation('no bearer token', 'an `Authorization: Bearer` header', delivery);
      }
    }),
  },
  {
    ...common,
    id: 'HOOK-SIGN-01',
    quote: webhookHeaderQuotes['X-Service-Signature'],
    title: '`X-Service-Signature` of a deposit event is `sha256=` followed by a SHA-256 digest.',
    check: deliveryCheck(expectDigest, isDepositEvent),
  },
  {
    ...common,
    id: 'HOOK-SIGN-02',
    quote: webhookHeaderQuotes['X-Service-Signature'],
    title: 'The digest of a deposit event is the HMAC of the raw body, keyed with the secret.',
    check: deliveryCheck(expectMatchingDigest, isDepositEvent),
  },
  {
    ...common,
    id: 'HOOK-SIGN-03',
    quote: webhookHeaderQuotes['X-Service-Signature'],
    title: 'A delivery of `payment.succeeded` has a header that is `sha256=` followed by a SHA-256 digest.',
    check: deliveryCheck(expectDigest, isPaymentEvent),
  },
  {
    ...common,
    id: 'HOOK-SIGN-04',
    quote: webhookHeaderQuotes['X-Service-Signature'],
    title: 'The digest of `payment.succeeded` is the HMAC of the raw body, keyed with the secret.',
    check: deliveryCheck(expectMatchingDigest, isPaymentEvent),
  },
  {
    ...common,
    id: 'HOOK-SIGN-05',
    quote: webhookHeaderQuotes['X-Service-Signature'],
    title:
      'The digest of `payment.succeeded` is computed from the bytes of the raw body, even if its text is not ASCII.',
    check: async (context) => expectMatchingDigest(await context.use(unusualPaymentDelivery)),
  },
  {
    ...common,
    id: 'HOOK-SIGN-06',
    quote: webhookHeaderQuotes['X-Service-Signature'],
    title: 'The digest of a deposit event is computed from the bytes of the raw body, even if its text is not ASCII.',
    check: async (context) => expectMatchingDigest(await context.use(unicodeDepositDelivery)),
  },
  {
    ...common,
    id: 'HOOK-URL-01',
    quote: urlSentence,
    title: 'Deliveries arrive at the configured URL.',
    check: deliveryCheck(async (delivery, context) => {
      const { paths } = await context.use(webhookReceiver);
      if (paths.length === 0)
        throw new Skip({ missing: 'configureWebhook', reason: 'the suite does not know the path that was configured' });
      if (!paths.includes(pathWithoutQuery(delivery)))
        throw new Violation(`the path ${paths.join(' or ')}`, delivery.path, delivery);
    }),
  },
  {
    ...common,
    id: 'HOOK-URL-02',
    level: 'inferred',
    quote: urlSentence,
    title: 'Deliveries are POST requests.',
    check: deliveryCheck((delivery) => {
      if (delivery.method !== 'POST') throw new Violation('a POST', delivery.method, delivery);
    }),
  },
  {
    ...common,
    id: 'HOOK-MOVE-01',
    quote: urlSentence,
    title: 'Once another URL is configured, deliveries arrive only there.',
    check: async (context) => {
      const { path, received } = await context.use(webhooksAfterUrlChange);
      if (received.length === 0) throw new Blocked('no webhook has arrived since the URL was changed');
      const misdirected = received.find((delivery) => pathWithoutQuery(delivery) !== path);
      if (misdirected) throw new Violation(`the path ${path}`, misdirected.path, misdirected);
    },
  },
  {
    ...common,
    id: 'HOOK-MOVE-02',
    quote: webhookHeaderQuotes['X-Service-Signature'],
    title: 'Once another secret is configured, deliveries are signed with it.',
    check: async (context) => {
      if (context.session.options.webhookSecret !== undefined) {
        throw new Skip({ missing: 'a secret that the suite chooses', reason: 'the suite uses --webhook-secret' });
      }
      const { path, received } = await context.use(webhooksAfterUrlChange);
      const atNewUrl = received.filter((delivery) => pathWithoutQuery(delivery) === path);
      if (atNewUrl.length === 0) throw new Blocked('no webhook has arrived at the new URL');
      for (const delivery of atNewUrl) expectMatchingDigest(delivery);
    },
  },
  {
    ...common,
    id: 'HOOK-MOVE-03',
    quote: webhookHeaderQuotes['X-Service-Signature'],
    title: 'Once the secret has been rotated, deliveries are signed with the new one.',
    check: async (context) => {
      const lastDelivery = await context.use(deliveryAfterRotation);
      if (!lastDelivery) throw new Blocked('no webhook has arrived since the secret was rotated');
      expectMatchingDigest(lastDelivery);
      // A driver that cannot pay the link fails in other clauses, too.
      const payment = await ifPossible(context.use(paymentDeliveryAfterRotation)).catch((error: unknown) => {
        if (!(error instanceof DriverError)) throw error;
      });
      if (payment) expectMatchingDigest(payment);
    },
  },
  // These clauses come last, because a target may hold back later webhooks until a retry has succeeded.
  {
    ...common,
    id: 'HOOK-HEAD-04',
    quote: webhookHeaderQuotes['X-Service-Event'],
    title: 'A webhook that is sent again after an error also has the name of its event in `X-Service-Event`.',
    check: async (context) => expectEventHeader(await context.use(retry)),
  },
  {
    ...common,
    id: 'HOOK-SIGN-07',
    quote: webhookHeaderQuotes['X-Service-Signature'],
    title: 'A webhook that is sent again after an error also has the digest of its raw body, keyed with the secret.',
    check: async (context) => {
      const delivery = await context.use(retry);
      expectDigest(delivery);
      expectMatchingDigest(delivery);
    },
  },
];
