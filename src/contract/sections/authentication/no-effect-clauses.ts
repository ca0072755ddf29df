import type { OperationId } from '../../../generated/billing-document.js';
import { Blocked, Violation } from '../../engine/check-errors.js';
import type { Check, Clause } from '../../engine/clause.js';
import { isClientError } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { bookingMatch } from '../../predicates/filters.js';
import { filteredDeposits, waitForStatus } from '../deposits/setups.js';
import { expectNotListed } from '../paging/expect-not-listed.js';
import { requireOperationWorks } from '../refusals.js';
import { depositThatMustNotChange, operationWithRequests, otherScope, refusedRequestMarker } from './setups.js';
import { authenticationSource, operationName, scopeSentence } from './sources.js';

/**
 * Sends the requests for an operation with the tokens that it must refuse, except tokens that the run does not have.
 * @throws Blocked if one of these requests is not refused, or a valid one is, which other clauses report as a violation
 */
async function requireUnauthorizedRequestsRefused(context: ClauseContext, id: OperationId): Promise<void> {
  const operation = operationWithRequests(id);
  const { requestWithToken, scope, validRequest } = operation;
  await requireOperationWorks(context, id, validRequest);
  const responses = [await context.use(requestWithToken.none)];
  // The other requests are left out if the run lacks their tokens.
  for (const request of [requestWithToken.unknown, requestWithToken[otherScope[scope]]]) {
    const response = await ifPossible(context.use(request));
    if (response) responses.push(response);
  }
  if (!responses.every(isClientError))
    throw new Blocked(`${operationName(operation)} was not refused without a valid token and scope`);
}

/**
 * Creates a check that a list contains no record whose creation was refused.
 * @param field field of the records that would contain `refusedRequestMarker`
 */
function notListedCheck(id: OperationId, path: string, field: string): Check {
  return async (context) => {
    await requireUnauthorizedRequestsRefused(context, id);
    await expectNotListed(context, path, { noun: 'record', field, texts: [refusedRequestMarker(context)] });
  };
}

async function expectNoRefusedDeposit(context: ClauseContext): Promise<void> {
  await requireUnauthorizedRequestsRefused(context, 'createDeposit');
  const reference = refusedRequestMarker(context);
  const { page, records } = await filteredDeposits(context, { booking_reference: reference });
  const unexpected = records.find((record) => bookingMatch(record, reference) === 'whole');
  if (unexpected) throw new Violation('no deposit of a refused request', unexpected, page);
  if (records.some((record) => bookingMatch(record, reference) === 'unknown'))
    throw new Blocked('the list does not show the `booking_reference` of its deposits', page);
}

/** Reads the held deposit after unauthorized requests to capture and release it. */
const statusAfterRefusedRequests = setup('the deposit after refused requests', async (context) => {
  const deposit = await context.use(depositThatMustNotChange);
  for (const id of ['captureDeposit', 'releaseDeposit'] as const) await requireUnauthorizedRequestsRefused(context, id);
  return waitForStatus(context, deposit, (status) => status === 'authorized');
});

/**
 * Creates a check that refused requests had no effect on the deposit.
 * @param wrongStatuses statuses that would show an effect
 */
const stillHeldCheck =
  (...wrongStatuses: readonly string[]): Check =>
  async (context) => {
    const { status, exchange } = await context.use(statusAfterRefusedRequests);
    if (wrongStatuses.some((wrongStatus) => wrongStatus === status)) {
      throw new Violation('the deposit to still be `authorized`', status, exchange);
    }
  };

/** For the operations whose effects can be observed: number and title of a clause, and its check. */
const noEffectChecks: readonly (readonly [number: string, OperationId, title: string, check: Check])[] = [
  [
    '01',
    'createInvoice',
    'A request without a valid token and scope does not create an invoice.',
    notListedCheck('createInvoice', '/invoices', 'reference'),
  ],
  [
    '02',
    'createPaymentLink',
    'A request without a valid token and scope does not create a payment link.',
    notListedCheck('createPaymentLink', '/payment-links', 'description'),
  ],
  [
    '03',
    'createDeposit',
    'A request without a valid token and scope does not create a deposit.',
    expectNoRefusedDeposit,
  ],
  [
    '04',
    'captureDeposit',
    'A request without a valid token and scope does not capture a deposit.',
    stillHeldCheck('captured', 'partially_captured'),
  ],
  [
    '05',
    'releaseDeposit',
    'A request without a valid token and scope does not release a deposit.',
    stillHeldCheck('released'),
  ],
];

/** Clauses stating that a refused request has no effect. */
export const noEffectClauses: readonly Clause[] = noEffectChecks.map(([number, operation, title, check]) => ({
  ...authenticationSource,
  id: `AUTH-UNCHANGED-${number}`,
  operation,
  quote: scopeSentence,
  title,
  check,
}));
