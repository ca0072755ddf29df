import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import { requireSuccess } from '../../engine/expect.js';
import type { Setup } from '../../engine/session.js';
import { depositPath, depositRecordIn, type ObservedStatus } from '../deposits/setups.js';
import { successesSoFar } from '../responses.js';
import { type RequestStep, statusAfter, steps } from './setups.js';
import type { LifecycleClause } from './sources.js';

/** A capture and a release that end the lifecycle of a deposit, so that its status stays the same afterwards. */
const actions: readonly {
  readonly id: string;
  readonly title: string;
  readonly step: Setup<RequestStep>;
  /** Reads the status after the step, until it is the expected one. */
  readonly observed: Setup<ObservedStatus>;
}[] = [
  {
    id: 'DEP-CAPTURE-32',
    title: 'Where the response to a capture shows the `status` of the deposit, it is the one after the capture.',
    step: steps.capturedInFull,
    observed: statusAfter.capturedInFull,
  },
  {
    id: 'DEP-RELEASE-12',
    title: 'Where the response to a release shows the `status` of the deposit, it is the one after the release.',
    step: steps.released,
    observed: statusAfter.released,
  },
];

/** Deposits: captures and releases show the status that results from them, and not the one before. */
export const shownStatusClauses: readonly LifecycleClause[] = actions.map(({ id, title, step, observed }) => ({
  id,
  level: 'inferred',
  title,
  readsEarlierResponses: true,
  check: async (context) => {
    const { deposit, exchange } = await context.use(step);
    requireSuccess(exchange);
    const { status: finalStatus } = await context.use(observed);
    const { status, booking_reference: reference } = depositRecordIn(exchange);
    // A record without a `booking_reference` may describe the capture, which has its own status.
    if (reference === undefined || typeof status !== 'string')
      throw new Blocked('the response does not show the status of the deposit', exchange);
    // A target may complete the action later, so the earlier status is allowed if the next read shows it, too.
    const { exchanges } = context.session.target;
    const nextRead = successesSoFar(context, 'getDeposit').find(
      (read) => read.call.path === depositPath(deposit) && exchanges.indexOf(read) > exchanges.indexOf(exchange),
    );
    const nextStatus = nextRead && depositRecordIn(nextRead)['status'];
    if (status === finalStatus || status === nextStatus) return;
    if (exchange.status === 202)
      throw new Skip({
        missing: 'an immediate result',
        reason: 'the response has status 202, so the action ends later',
      });
    throw new Violation(`\`status\` to be ${String(finalStatus)}, as in later responses`, status, exchange);
  },
}));
