import type { OperationId } from '../../../generated/billing-document.js';
import type { Exchange } from '../../engine/exchange.js';
import { requireSuccess } from '../../engine/expect.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import { depositOfAcceptedRequest, operationWithRequests } from '../authentication/setups.js';
import type { Deposit } from '../deposits/setups.js';
import { webhookReceiver } from '../webhook-receiver.js';
import type { EventName, EventStep } from './setups.js';

/** Creates a setup that sends a request about a deposit with a token that can only write. */
function writeTokenStep(
  operation: OperationId,
  depositOf: (context: ClauseContext, exchange: Exchange) => Promise<Deposit>,
): Setup<EventStep> {
  return setup(`${operation} with a write-only token, as a step`, async (context) => {
    // Opens the receiver first, so that it gets the webhook.
    await context.runIfPossible(webhookReceiver);
    const exchange = requireSuccess(await context.use(operationWithRequests(operation).requestWithToken.write));
    const request = context.session.sentRequests.find((sent) => sent.exchange === exchange);
    // Other setups may have run between the call of `use` and the request, so that the timeout must not start there.
    return { deposit: await depositOf(context, exchange), startedAt: request?.sentAt ?? Date.now() };
  });
}

/** For each event that a request with a write-only token causes, the step. */
export const writeTokenSteps: { readonly [Event in EventName]?: Setup<EventStep> } = {
  'deposit.created': writeTokenStep('createDeposit', depositOfAcceptedRequest.createDeposit),
  'deposit.captured': writeTokenStep('captureDeposit', depositOfAcceptedRequest.captureDeposit),
  'deposit.released': writeTokenStep('releaseDeposit', depositOfAcceptedRequest.releaseDeposit),
};
