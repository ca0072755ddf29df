import { Blocked, Violation } from '../../engine/check-errors.js';
import type { Exchange } from '../../engine/exchange.js';
import { requireSuccess } from '../../engine/expect.js';
import type { ClauseContext } from '../../engine/session.js';
import { depositRecordIn, idOf, newDepositDetails } from '../deposits/setups.js';
import { successesSoFar } from '../responses.js';
import { requireStep, steps } from './setups.js';
import type { LifecycleClause } from './sources.js';

/** Returns the decoded id in the path of a request: `/deposits/dep_1/capture`. */
export function requestedDepositId({ call }: Pick<Exchange, 'call'>): string {
  const [, , id = ''] = call.path.split('/');
  return decodeURIComponent(id);
}

/** Operations whose responses may contain the deposit that the path of the request names. */
const operations: readonly (Omit<LifecycleClause, 'check'> & {
  readonly operation: 'getDeposit' | 'captureDeposit' | 'releaseDeposit';
  /** Makes sure that there is a response with a deposit. */
  readonly prepare: (context: ClauseContext) => Promise<unknown>;
})[] = [
  {
    id: 'DEP-READ-06',
    level: 'documented',
    operation: 'getDeposit',
    spec: 'GET /deposits/{id}',
    quote: 'Path parameter `id`: deposit identifier.',
    title:
      'Where the response to a read of a deposit shows an `id`, it is the requested one, whichever token was used.',
    prepare: async (context) => requireSuccess(await context.use(newDepositDetails)),
  },
  // The specification does not say what captures and releases return.
  {
    id: 'DEP-CAPTURE-31',
    level: 'inferred',
    operation: 'captureDeposit',
    title: 'Where the response to a capture shows a deposit, it is the one that was captured.',
    prepare: (context) => requireStep(context, steps.capturedInPart),
  },
  {
    id: 'DEP-RELEASE-11',
    level: 'inferred',
    operation: 'releaseDeposit',
    title: 'Where the response to a release shows a deposit, it is the one that was released.',
    prepare: (context) => requireStep(context, steps.released),
  },
];

/** Deposits: responses show the deposit that the request named. */
export const requestedDepositClauses: readonly LifecycleClause[] = operations.map(({ prepare, ...clause }) => ({
  ...clause,
  readsEarlierResponses: true,
  check: async (context) => {
    await prepare(context);
    let isShown = false;
    for (const exchange of successesSoFar(context, clause.operation)) {
      const record = depositRecordIn(exchange);
      // A record without `booking_reference` may describe the capture instead of the deposit, with its own id.
      const shownId = clause.operation === 'getDeposit' || 'booking_reference' in record ? idOf(record) : undefined;
      if (shownId === undefined) continue;
      isShown = true;
      if (String(shownId) !== requestedDepositId(exchange))
        throw new Violation(`the deposit ${requestedDepositId(exchange)}`, shownId, exchange);
    }
    if (!isShown) throw new Blocked('no response shows the `id` of a deposit');
  },
}));
