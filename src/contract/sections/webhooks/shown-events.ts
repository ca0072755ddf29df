import { Violation } from '../../engine/check-errors.js';
import { timeoutText } from '../../engine/eventually.js';
import { valueAt } from '../../engine/expect.js';
import type { ClauseContext } from '../../engine/session.js';
import { createdSoFar } from '../created-records.js';
import { requestedDepositId } from '../deposit-lifecycle/requested-deposit-clauses.js';
import { type Deposit, depositRecordIn, idOf } from '../deposits/setups.js';
import { successesSoFar } from '../responses.js';
import { webhookReceiver } from '../webhook-receiver.js';
import { type EventName, findDepositEvent, isAboutDeposit } from './setups.js';

/** A deposit of which a webhook is expected: what `isAboutDeposit` compares. */
type CreatedDeposit = Pick<Deposit, 'id' | 'reference' | 'exchange'>;

/**
 * Expects the webhook of an event about each deposit that a read has shown with the status of that name. Leaves out
 * deposits that no webhook identifies, and for the events about its end, those that were captured in part: the
 * specification does not say which event follows.
 * @throws Violation
 */
export async function expectEventOfEachStatus(context: ClauseContext, event: EventName): Promise<void> {
  const { receiver } = await context.use(webhookReceiver);
  const deposits = (await depositsWithWebhooks(context)).filter(
    (deposit) =>
      hasBeenShownAs(context, deposit, event.replace('deposit.', '')) &&
      !(finalEvents.includes(event) && wasCapturedInPart(context, deposit)) &&
      receiver.deliveries.some((delivery) => isAboutDeposit(delivery, context, deposit)),
  );
  const firstWithout = (): CreatedDeposit | undefined =>
    deposits.find((deposit) => !findDepositEvent(context, receiver.deliveries, event, deposit));
  await receiver.waitFor(() => (firstWithout() ? undefined : true), Date.now() + context.session.eventuallyTimeoutMs);
  const missing = firstWithout();
  if (missing)
    throw new Violation(
      `a \`${event}\` webhook about the deposit ${missing.id}`,
      `none within ${timeoutText(context)}`,
    );
}

/** Deposits of the suite that were created after the target began to send webhooks to it. */
async function depositsWithWebhooks(context: ClauseContext): Promise<CreatedDeposit[]> {
  const { earlierRequestCount } = await context.use(webhookReceiver);
  const earlier = new Set(context.session.sentRequests.slice(0, earlierRequestCount).map(({ exchange }) => exchange));
  const byId = new Map<string, CreatedDeposit>();
  for (const { exchange, body } of createdSoFar(context, 'createDeposit')) {
    const id = idOf(depositRecordIn(exchange));
    const reference = body['booking_reference'];
    if (id === undefined || typeof reference !== 'string' || byId.has(String(id)) || earlier.has(exchange)) continue;
    byId.set(String(id), { id, reference, exchange });
  }
  return [...byId.values()];
}

function hasBeenShownAs(context: ClauseContext, { id }: CreatedDeposit, status: string): boolean {
  return successesSoFar(context, 'getDeposit')
    .map(depositRecordIn)
    .some((record) => String(idOf(record)) === String(id) && record['status'] === status);
}

/** Events about the end of a deposit. */
const finalEvents: readonly EventName[] = ['deposit.captured', 'deposit.released', 'deposit.expired'];

/** True if a part of a deposit was captured. */
function wasCapturedInPart(context: ClauseContext, { id }: CreatedDeposit): boolean {
  return successesSoFar(context, 'captureDeposit').some(
    (exchange) => valueAt(exchange.call.body, 'amount') !== undefined && requestedDepositId(exchange) === String(id),
  );
}
