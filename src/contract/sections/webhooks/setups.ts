import { Blocked } from '../../engine/check-errors.js';
import { type Delivery, eventOf, type Leaf, leavesOf, objectsOf } from '../../engine/delivery.js';
import { valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import type { CreatedRecord } from '../created-records.js';
import { type DepositStep, requireStep, statusAfter, steps } from '../deposit-lifecycle/setups.js';
import { authorizationUrl } from '../deposits/authorization-url.js';
import { type Deposit, depositRecordIn, digitReference, idOf, newDeposit } from '../deposits/setups.js';
import { countedSecondPayment } from '../link-list/setups.js';
import { isFound } from '../paging/setups.js';
import { type PaidLink, paidLink } from '../payment-links/setups.js';
import { isPaid, linkPaymentSearch, otherPaidLinks, paidUnusualLink } from '../payments/setups.js';
import { successesSoFar } from '../responses.js';
import { isSameText } from '../same-values.js';
import { awaitDelivery, webhookReceiver } from '../webhook-receiver.js';

export const eventNames = [
  'payment.succeeded',
  'deposit.created',
  'deposit.authorized',
  'deposit.partially_captured',
  'deposit.captured',
  'deposit.released',
  'deposit.expired',
  'deposit.failed',
] as const;
export type EventName = (typeof eventNames)[number];

/** A completed step in the lifecycle of a deposit, for which a webhook is due. */
export interface EventStep {
  readonly deposit: Deposit;
  /** Time just before the step, in milliseconds since 1970. */
  readonly startedAt: number;
}

/**
 * Creates a setup that requires a step to have succeeded. The setup throws Blocked if the step was refused, because
 * then no event is due.
 */
function completedStep(step: Setup<DepositStep>): Setup<EventStep> {
  return setup(step.name, (context) => requireStep(context, step));
}

/** For each deposit event, the step that it is named after. */
export const eventSteps: Readonly<Record<Exclude<EventName, 'payment.succeeded'>, Setup<EventStep>>> = {
  'deposit.created': setup('a new deposit', async (context) => {
    const deposit = await context.use(newDeposit);
    return { deposit, startedAt: deposit.sentAt };
  }),
  'deposit.authorized': completedStep(steps.authorized),
  'deposit.partially_captured': completedStep(steps.capturedInPart),
  'deposit.captured': completedStep(steps.capturedInFull),
  'deposit.released': completedStep(steps.released),
  'deposit.expired': completedStep(steps.expired),
  'deposit.failed': setup('a deposit that failed', async (context) => {
    // After a declined card, a deposit may also stay `pending`, so that the guest can use another card.
    const { status, exchange } = await context.use(statusAfter.declined);
    if (status !== 'failed') throw new Blocked('the deposit whose card was declined is not `failed`', exchange);
    return context.use(steps.declined);
  }),
};

/**
 * Steps that follow a partial capture, each with the event that is due if the deposit has the `status` after the step:
 * the specification does not say which statuses follow a partial capture.
 */
export const laterEventSteps = {
  captured: {
    event: 'deposit.captured',
    step: completedStep(steps.capturedRemainder),
    observed: statusAfter.capturedRemainder,
    status: 'captured',
  },
  released: {
    event: 'deposit.released',
    step: completedStep(steps.releasedRemainder),
    observed: statusAfter.releasedRemainder,
    status: 'released',
  },
  expired: {
    event: 'deposit.expired',
    step: completedStep(steps.capturedThenExpired),
    observed: statusAfter.capturedThenExpired,
    status: 'expired',
  },
} as const;

/**
 * Waits for the delivery that is due after a later step; undefined if none arrives.
 * @throws Blocked unless the deposit has the status after which the event is due
 */
export async function awaitLaterDelivery(
  context: ClauseContext,
  { event, step, observed, status }: (typeof laterEventSteps)[keyof typeof laterEventSteps],
): Promise<Delivery | undefined> {
  const { status: shown, exchange } = await context.use(observed);
  if (shown !== status) throw new Blocked(`the deposit is not \`${status}\``, exchange);
  return awaitDepositDelivery(context, event, step);
}

/** Event name in the header; if there is no such header, an event name that the body contains. */
export function eventNameOf(delivery: Delivery): string | undefined {
  return eventOf(delivery) ?? leavesOf(delivery).find(({ text }) => eventNames.some((name) => name === text))?.text;
}

/**
 * True if a delivery is about a deposit. The specification leaves payloads open: one may contain the booking reference,
 * or only an id, which a record of another type may have, too.
 */
export function isAboutDeposit(
  delivery: Delivery,
  context: ClauseContext,
  { id, reference, exchange }: Pick<Deposit, 'id' | 'reference' | 'exchange'>,
): boolean {
  if (isPaymentEvent(delivery)) return false;
  const leaves = leavesOf(delivery);
  const depositIds = depositIdsIn(leaves);
  if (depositIds.includes(String(id))) return true;
  if (hasText(leaves, reference)) return !showsOtherId(delivery, { id, reference });
  // A delivery that contains another reference of the run is about another deposit.
  if (hasText(leaves, `${context.session.prefix} `) || hasText(leaves, digitReference(context))) return false;
  if (leaves.some(({ text }) => text === authorizationUrl(exchange))) return true;
  return depositIds.length === 0 && innerIdsIn(leaves).includes(String(id));
}

/** Ids in fields that are named after deposits: `deposit_id`, `deposit`, or the `id` in `deposit`. */
function depositIdsIn(leaves: readonly Leaf[]): string[] {
  return leaves
    .filter(({ name, parentName }) => /deposit(_?id)?$/i.test(name) || (name === 'id' && /deposit$/i.test(parentName)))
    .map(({ text }) => text);
}

/** Ids in inner objects; if there are none, those in the outermost object, which may also be that of the event. */
function innerIdsIn(leaves: readonly Leaf[]): string[] {
  const ids = leaves.filter(({ name }) => /id$/i.test(name));
  const innerIds = ids.filter(({ parentName }) => parentName !== '');
  return (innerIds.length > 0 ? innerIds : ids).map(({ text }) => text);
}

/**
 * True if a delivery shows the booking reference of a deposit in a record with another id. The outermost object does not
 * count, because its id may be that of the event.
 */
function showsOtherId(delivery: Delivery, { id, reference }: Pick<Deposit, 'id' | 'reference'>): boolean {
  const records = objectsOf(delivery)
    .slice(1)
    .filter((record) => isSameText(record['booking_reference'], reference) && idOf(record) !== undefined);
  return records.length > 0 && records.every((record) => String(record['id']) !== String(id));
}

/**
 * True if the `id` that payloads show beside a booking reference is that of the deposit, as most of them prove: the
 * specification leaves open what it identifies, and the id of something else may equal that of a deposit by chance.
 */
function showsDepositIds(context: ClauseContext, deliveries: readonly Delivery[]): boolean {
  const idsByReference = new Map<unknown, Set<string>>();
  for (const exchange of successesSoFar(context, 'createDeposit')) {
    const reference = valueAt(exchange.call.body, 'booking_reference');
    const ids = idsByReference.get(reference) ?? new Set();
    idsByReference.set(reference, ids.add(String(idOf(depositRecordIn(exchange)))));
  }
  const areDepositIds = deliveries
    .flatMap((delivery) => objectsOf(delivery).slice(1))
    .flatMap((record) => {
      const ids = idsByReference.get(record['booking_reference']);
      return ids && idOf(record) !== undefined ? ids.has(String(record['id'])) : [];
    });
  return areDepositIds.filter(Boolean).length > areDepositIds.length / 2;
}

/**
 * Finds a webhook of an event about a deposit. If the ids in payloads of other events are not those of deposits, the
 * booking reference identifies it.
 */
export function findDepositEvent(
  context: ClauseContext,
  deliveries: readonly Delivery[],
  event: string,
  deposit: Pick<Deposit, 'id' | 'reference' | 'exchange'>,
): Delivery | undefined {
  const isOfEvent = (delivery: Delivery): boolean => eventNameOf(delivery) === event;
  const ofEvent = deliveries.filter(isOfEvent);
  const found = ofEvent.find((delivery) => isAboutDeposit(delivery, context, deposit));
  if (found) return found;
  const withReference = ofEvent.find((delivery) => hasText(leavesOf(delivery), deposit.reference));
  if (!withReference) return undefined;
  const ofOtherEvents = deliveries.filter((delivery) => !isOfEvent(delivery));
  return showsDepositIds(context, ofOtherEvents) ? undefined : withReference;
}

/** True if a delivery is about a payment event. */
export function isPaymentEvent(delivery: Delivery): boolean {
  return eventNameOf(delivery)?.startsWith('payment.') === true;
}

/** True if a delivery announces a successful payment. */
export function isPaymentSucceeded(delivery: Delivery): boolean {
  return eventNameOf(delivery) === 'payment.succeeded';
}

/** True if a delivery is about a payment of a link. */
function isAboutLink(delivery: Delivery, { session }: ClauseContext, { record, body }: CreatedRecord): boolean {
  const leaves = leavesOf(delivery);
  if (hasText(leaves, String(body['description'])) || hasText(leaves, String(record['url']))) return true;
  // A delivery that contains the run's id, but not this link's texts, may be about another link of the run.
  if (hasText(leaves, session.runId)) return false;
  return hasLinkId(delivery, { record });
}

/** True if a delivery shows the id of a link. */
export function hasLinkId(delivery: Delivery, { record }: Pick<CreatedRecord, 'record'>): boolean {
  return leavesOf(delivery).some(({ name, text }) => name === 'payment_link_id' && text === String(record['id']));
}

/** True if a value contains the text. Ignores case, which other clauses check. */
export function hasText(leaves: readonly Leaf[], expected: string): boolean {
  return leaves.some(({ text }) => text.toLowerCase().includes(expected.toLowerCase()));
}

/** Waits for the delivery of a deposit event; undefined if none arrives. */
export async function awaitDepositDelivery(
  context: ClauseContext,
  event: string,
  eventStep: Setup<EventStep>,
): Promise<Delivery | undefined> {
  const { deposit, startedAt } = await context.use(eventStep);
  const found = await awaitDelivery(
    context,
    startedAt,
    (delivery) => eventNameOf(delivery) === event && isAboutDeposit(delivery, context, deposit),
  );
  if (found) return found;
  const { deliveries } = (await context.use(webhookReceiver)).receiver;
  const late = findDepositEvent(context, deliveries, event, deposit);
  if (late) return late;
  // If no payload identifies the deposit, any delivery of the event since the step counts.
  const isIdentified = deliveries.some(
    (delivery) =>
      isAboutDeposit(delivery, context, deposit) ||
      (eventNameOf(delivery) === event && hasText(leavesOf(delivery), deposit.reference)),
  );
  if (isIdentified) return undefined;
  return deliveries.find((delivery) => eventNameOf(delivery) === event && delivery.receivedAt >= startedAt);
}

/**
 * Deliveries about the payment of `paidLink`; if no payload identifies it, all `payment.succeeded` since it was made.
 */
export const paymentDeliveries = setup('webhooks of a payment', async (context): Promise<readonly Delivery[]> => {
  const link = await context.use(paidLink);
  const { receiver } = await context.use(webhookReceiver);
  await awaitDelivery(
    context,
    link.paymentStartedAt,
    (delivery) => isPaymentSucceeded(delivery) && isAboutLink(delivery, context, link),
  );
  const identified = receiver.deliveries.filter((delivery) => isAboutLink(delivery, context, link));
  const found =
    identified.length > 0
      ? identified
      : receiver.deliveries.filter(
          (delivery) => isPaymentSucceeded(delivery) && delivery.receivedAt >= link.paymentStartedAt,
        );
  context.recordEvidence(...found);
  return found;
});

/** Delivery about the payment of the link with unusual text. @throws Blocked if none arrives */
export const unusualPaymentDelivery = setup('a webhook with unusual text', async (context): Promise<Delivery> => {
  const link = await context.use(paidUnusualLink);
  const found = await awaitDelivery(
    context,
    link.paymentStartedAt,
    (delivery) => isPaymentEvent(delivery) && isAboutLink(delivery, context, link),
  );
  if (!found) throw new Blocked('no webhook identifies the payment of the link with unusual text');
  return found;
});

/** True if the list shows the payment of `paidLink` as `paid`: only then must a webhook be sent. */
export async function isLinkPaymentPaid(context: ClauseContext): Promise<boolean> {
  const location = await context.use(linkPaymentSearch);
  return isFound(location) && isPaid(location);
}

/** A paid link with the deliveries about its payment. */
export interface LinkWithDeliveries {
  readonly link: PaidLink;
  readonly deliveries: readonly Delivery[];
}

/**
 * Several paid links, each with the deliveries about its payment. A link whose payment the list does not show as `paid`
 * is left out, except `paidLink` if a webhook about its payment has arrived, and the link that is paid a second time,
 * whose payment the list counts.
 */
export const linksWithDeliveries = setup(
  'webhooks of the payments of links',
  async (context): Promise<readonly LinkWithDeliveries[]> => {
    const found: LinkWithDeliveries[] = [];
    const deliveriesOfFirst = await context.use(paymentDeliveries);
    if (deliveriesOfFirst.length > 0 || (await isLinkPaymentPaid(context)))
      found.push({ link: await context.use(paidLink), deliveries: deliveriesOfFirst });
    const { receiver } = await context.use(webhookReceiver);
    // All payments are made before the first wait for a delivery, so that missing deliveries cost a single timeout.
    const paidAgain = await ifPossible(context.use(countedSecondPayment));
    for (const { location } of otherPaidLinks) await context.runIfPossible(location);
    const links = paidAgain ? [paidAgain] : [];
    for (const { link: linkSetup, location: locationSetup } of otherPaidLinks) {
      const link = await ifPossible(context.use(linkSetup));
      const location = await ifPossible(context.use(locationSetup));
      if (link && location && isPaid(location)) links.push(link);
    }
    for (const link of links) {
      const isMatch = (delivery: Delivery): boolean =>
        isPaymentEvent(delivery) && (isAboutLink(delivery, context, link) || hasLinkId(delivery, link));
      await awaitPaymentDelivery(context, link);
      found.push({ link, deliveries: receiver.deliveries.filter(isMatch) });
    }
    if (found.length === 0) throw new Blocked('no payment of a link is listed as `paid`');
    context.recordEvidence(...found.flatMap((paid) => paid.deliveries));
    return found;
  },
);

/** Waits for a `payment.succeeded` webhook about the payment of a link; undefined if none arrives. */
export function awaitPaymentDelivery(context: ClauseContext, link: PaidLink): Promise<Delivery | undefined> {
  return awaitDelivery(
    context,
    link.paymentStartedAt,
    (delivery) =>
      // The link may have been paid before: only a later delivery is about this payment.
      delivery.receivedAt >= link.paymentStartedAt &&
      isPaymentSucceeded(delivery) &&
      (isAboutLink(delivery, context, link) || hasLinkId(delivery, link)),
  );
}

/**
 * Deliveries about the deposits of `eventSteps`; if no payload identifies one of them, those about any deposit since
 * the first of them was created.
 */
export const depositDeliveries = setup('webhooks of deposits', async (context): Promise<readonly Delivery[]> => {
  const { receiver } = await context.use(webhookReceiver);
  // All steps run before the first wait for a delivery, so that missing deliveries cost a single timeout.
  for (const eventStep of Object.values(eventSteps)) await context.runIfPossible(eventStep);
  const deposits: Deposit[] = [];
  for (const [event, eventStep] of Object.entries(eventSteps)) {
    // Ignores all errors, also those of the driver: other clauses report them.
    const step = await context.use(eventStep).catch(() => undefined);
    if (!step) continue;
    deposits.push(step.deposit);
    await awaitDepositDelivery(context, event, eventStep);
  }
  const identified = receiver.deliveries.filter((delivery) =>
    deposits.some((deposit) => isAboutDeposit(delivery, context, deposit)),
  );
  const since = Math.min(...deposits.map(({ sentAt }) => sentAt));
  const found =
    identified.length > 0
      ? identified
      : receiver.deliveries.filter(
          (delivery) => eventNameOf(delivery)?.startsWith('deposit.') && delivery.receivedAt >= since,
        );
  context.recordEvidence(...found);
  return found;
});

/** Deliveries about the deposits of `laterEventSteps`. */
export const laterDepositDeliveries = setup(
  'webhooks of later steps',
  async (context): Promise<readonly Delivery[]> => {
    const { receiver } = await context.use(webhookReceiver);
    const found: Delivery[] = [];
    for (const later of Object.values(laterEventSteps)) {
      // Other clauses report steps that failed, and webhooks that are missing.
      const step = await ifPossible(context.use(later.step));
      if (!step) continue;
      await ifPossible(awaitLaterDelivery(context, later));
      found.push(...receiver.deliveries.filter((delivery) => isAboutDeposit(delivery, context, step.deposit)));
    }
    return found;
  },
);
