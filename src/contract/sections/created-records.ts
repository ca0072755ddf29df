import type { OperationId } from '../../generated/billing-document.js';
import { isRecord } from '../../lib/json.js';
import { valueAt } from '../engine/expect.js';
import type { ClauseContext } from '../engine/session.js';
import { Blocked } from '../engine/verdict.js';
import { type RecordLocation, recordsIn } from './fields.js';
import type { CreatedRecord } from './invoice-creation/setups.js';
import { successesSoFar } from './responses.js';

/** Returns the records that valid requests have created so far, each as the response to its creation shows it. */
export function createdSoFar(context: ClauseContext, creation: OperationId): CreatedRecord[] {
  return successesSoFar(context, creation).flatMap((exchange) => {
    const { body } = exchange.call;
    const record = valueAt(exchange.json, 'data');
    return isRecord(body) && isRecord(record) ? [{ exchange, body, record }] : [];
  });
}

/**
 * Checks created records wherever responses of an operation so far show them.
 * @param expect gets the location of a record in a response, and the record as it was created; throws a Violation
 * @throws Blocked if no response shows any of them
 */
export function expectEachShown(
  context: ClauseContext,
  operation: OperationId,
  created: readonly CreatedRecord[],
  expect: (location: RecordLocation, created: CreatedRecord) => void,
): void {
  const shown = successesSoFar(context, operation)
    .flatMap((page) => recordsIn(page, operation))
    .flatMap((location) => {
      const id = valueAt(location.page.json, `${location.path}.id`);
      const creation = created.find(({ record }) => record['id'] === id && id !== undefined);
      return creation ? [{ location, creation }] : [];
    });
  if (shown.length === 0) throw new Blocked('no response shows a record that the suite created');
  for (const { location, creation } of shown) expect(location, creation);
  context.recordEvidence(...shown.slice(-1).map(({ location }) => location.page));
}
