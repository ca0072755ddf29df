import type { OperationId } from '../../generated/billing-document.js';
import { isRecord } from '../../lib/json.js';
import { Blocked } from '../engine/check-errors.js';
import type { Exchange } from '../engine/exchange.js';
import { requireSuccess, valueAt } from '../engine/expect.js';
import type { JsonObject } from '../engine/json.js';
import { type ClauseContext, type Setup, setup } from '../engine/session.js';
import { isSameId } from '../predicates/matchers.js';
import { fieldOf, type RecordLocation, recordsIn } from './fields.js';
import { successesSoFar } from './responses.js';

/** An attempt to create a record. */
export interface Creation {
  readonly exchange: Exchange;
  /** Body of the request. */
  readonly body: JsonObject;
}

/** A successful creation, with the record that it returned. */
export interface CreatedRecord extends Creation {
  readonly record: JsonObject;
}

/** Creates a setup that runs `attempt` and adds the record that it created. It throws Blocked if there is none. */
export function createdRecord<Attempt extends Creation>(attempt: Setup<Attempt>): Setup<Attempt & CreatedRecord> {
  return setup(`the returned record of ${attempt.name}`, async (context) => withRecord(await context.use(attempt)));
}

/** Adds the record that a create request returned. @throws Blocked unless it succeeded and returned one */
export function withRecord<Attempt extends Creation>(creation: Attempt): Attempt & CreatedRecord {
  return { ...creation, record: requireRecord(creation.exchange) };
}

/** Returns the record in `data` of a response. @throws Blocked unless the request succeeded and returned one */
export function requireRecord(exchange: Exchange): JsonObject {
  const { method, path } = exchange.call;
  const record = valueAt(requireSuccess(exchange).json, 'data');
  if (!isRecord(record)) throw new Blocked(`${method} ${path} returned no record in \`data\``, exchange);
  return record;
}

/** Returns the records that valid requests have created so far, each as returned when it was created. */
export function createdSoFar(context: ClauseContext, creation: OperationId): CreatedRecord[] {
  return successesSoFar(context, creation).flatMap((exchange) => {
    const { body } = exchange.call;
    const record = valueAt(exchange.json, 'data');
    return isRecord(body) && isRecord(record) ? [{ exchange, body, record }] : [];
  });
}

/**
 * Checks each of the created records that a response to an operation has shown so far.
 * @param expect gets the location of a record in a response, and the record as it was created; throws a Violation if the
 *   shown record is wrong
 * @throws Blocked if no response shows any of them
 */
export function expectWhereShown(
  context: ClauseContext,
  operation: OperationId,
  created: readonly CreatedRecord[],
  expect: (location: RecordLocation, created: CreatedRecord) => void,
): void {
  const shown = successesSoFar(context, operation)
    .flatMap((page) => recordsIn(page, operation))
    .flatMap((location) => {
      const id = fieldOf(location, 'id');
      const creation = created.find(({ record }) => isSameId(record['id'], id));
      return creation ? [{ location, creation }] : [];
    });
  if (shown.length === 0) throw new Blocked('no response shows a record that the suite created');
  for (const { location, creation } of shown) expect(location, creation);
  // One response is enough to show what was checked; a violation has its own.
  context.recordEvidence(...shown.slice(-1).map(({ location }) => location.exchange));
}
