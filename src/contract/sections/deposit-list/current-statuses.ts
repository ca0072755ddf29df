import type { DriverMethod } from '../../drivers/driver.js';
import { Violation } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { JsonObject } from '../../engine/json.js';
import { operationOf } from '../../engine/operations.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { requestedDepositId } from '../deposit-lifecycle/requested-deposit-clauses.js';
import { depositRecordIn, depositsIn, idOf, newDeposit, readStatus } from '../deposits/setups.js';
import { successesSoFar } from '../responses.js';

/** Position of each status in the lifecycle of a deposit, which never goes back. */
const positions: ReadonlyMap<unknown, number> = new Map([
  ['pending', 0],
  ['authorized', 1],
  ['partially_captured', 2],
  ['captured', 3],
  ['released', 3],
  ['expired', 3],
  ['failed', 3],
]);

/** Position of the statuses that a deposit of the suite keeps, because no clause acts on it afterwards. */
const finalPosition = 3;

/** Statuses that a deposit has only after its guest has authorized it. */
const statusesAfterAuthorization: readonly unknown[] = ['authorized', 'partially_captured', 'captured', 'released'];

/**
 * True if the target authorizes deposits by itself, as a test environment may: it shows a deposit as authorized that
 * the driver has not authorized. Used only after another response suggests that, since it needs a request.
 */
export const authorizesByItself = setup('whether the target authorizes deposits by itself', async (context) => {
  const deposit = await context.use(newDeposit);
  const { status } = await readStatus(context, deposit);
  const isAuthorizedByDriver = idsPassedToDriver(context, 'authorizeDeposit').has(String(deposit.id));
  return !isAuthorizedByDriver && statusesAfterAuthorization.includes(status);
});

/** Operations whose responses show statuses, each with the deposits in a response. */
const recordsIn = {
  createDeposit: (exchange: Exchange): readonly JsonObject[] => [depositRecordIn(exchange)],
  getDeposit: (exchange: Exchange): readonly JsonObject[] => [depositRecordIn(exchange)],
  listDeposits: (exchange: Exchange): readonly JsonObject[] => depositsIn(exchange).records,
} as const;
type OperationWithStatuses = keyof typeof recordsIn;

/** True for a request that captures or releases everything that remains of a deposit. */
function isLastAction({ call }: Exchange): boolean {
  const operation = operationOf(call)?.id;
  return (
    operation === 'releaseDeposit' || (operation === 'captureDeposit' && valueAt(call.body, 'amount') === undefined)
  );
}

/** The status of one deposit, as far as earlier responses show it. */
interface KnownStatus {
  /** The latest of the statuses that reads have shown, in the order of the lifecycle. */
  latest?: unknown;
  /** True if its remaining amount was captured or released. */
  isCompleted: boolean;
}

/**
 * Checks that the responses so far to an operation show possible statuses of the suite's deposits: none from before the
 * status that an earlier read has shown, or from before a capture or release of the remaining amount; in a list, no other
 * final status; and without an authorization by the driver, none that follows one, unless the target authorizes deposits
 * by itself. A response to a read with another status is requested again until it is updated, or the timeout has passed.
 * @throws Violation
 */
export async function expectCurrentStatuses(context: ClauseContext, operation: OperationWithStatuses): Promise<void> {
  const known = new Map<string, KnownStatus>();
  const knownOf = (id: string): KnownStatus => {
    const status = known.get(id) ?? { isCompleted: false };
    known.set(id, status);
    return status;
  };
  const authorizedIds = idsPassedToDriver(context, 'authorizeDeposit');
  const ownIds = new Set(
    successesSoFar(context, 'createDeposit').map((exchange) => String(idOf(depositRecordIn(exchange)))),
  );
  const [reads, responses, actions] = [
    successesSoFar(context, 'getDeposit'),
    successesSoFar(context, operation),
    [...successesSoFar(context, 'captureDeposit'), ...successesSoFar(context, 'releaseDeposit')],
  ];
  let needsDriver = true;
  const isPossible = ({ status, ...record }: JsonObject): boolean => {
    const id = idOf(record);
    const position = positions.get(status);
    // Other clauses check that deposits show a status, and a documented one.
    if (id === undefined || position === undefined) return true;
    const isUnauthorized = needsDriver && ownIds.has(String(id)) && !authorizedIds.has(String(id));
    if (isUnauthorized && statusesAfterAuthorization.includes(status)) return false;
    // The response to a repeated create request may show the deposit as the first one did.
    if (operation === 'createDeposit') return true;
    const { latest, isCompleted } = knownOf(String(id));
    const latestPosition = positions.get(latest) ?? 0;
    if (operation === 'listDeposits' && latestPosition === finalPosition) return status === latest;
    return position >= latestPosition && !(isCompleted && position <= 1);
  };
  const outdatedIn = (exchange: Exchange): JsonObject | undefined =>
    recordsIn[operation](exchange).find((record) => !isPossible(record));

  for (const exchange of context.session.target.exchanges) {
    const isChecked = responses.includes(exchange);
    if (isChecked && needsDriver && outdatedIn(exchange))
      needsDriver = !(await ifPossible(context.use(authorizesByItself)));
    if (isChecked && outdatedIn(exchange)) {
      const latest =
        operation === 'createDeposit'
          ? exchange
          : await eventually(
              context,
              () => context.send(exchange.call),
              (response) => !outdatedIn(response),
            );
      const outdated = outdatedIn(latest);
      if (outdated) {
        const id = String(idOf(outdated));
        throw new Violation(`the deposit ${id} to be ${descriptionOf(knownOf(id))}`, outdated['status'], latest);
      }
    }
    if (reads.includes(exchange)) {
      const { status, ...record } = depositRecordIn(exchange);
      const shown = knownOf(String(idOf(record)));
      if ((positions.get(status) ?? -1) >= (positions.get(shown.latest) ?? 0)) shown.latest = status;
    }
    // A target may accept an action without effect, such as a capture of a deposit that is not authorized.
    if (actions.includes(exchange) && isLastAction(exchange) && authorizedIds.has(requestedDepositId(exchange)))
      knownOf(requestedDepositId(exchange)).isCompleted = true;
  }
}

function descriptionOf({ latest, isCompleted }: KnownStatus): string {
  if (isCompleted && positions.get(latest) !== finalPosition) return 'captured or released';
  if (latest !== undefined) return `${String(latest)}, as an earlier response shows`;
  return 'pending, since its guest has not authorized it';
}

/** Ids of the deposits on which a method of the driver was called, whether it succeeded or not. */
function idsPassedToDriver({ session }: ClauseContext, driverMethod: DriverMethod): ReadonlySet<string> {
  return new Set(
    session.driverCalls.filter(({ method }) => method === driverMethod).map(({ record }) => String(record?.['id'])),
  );
}
