import { Violation } from '../../engine/check-errors.js';
import type { ClauseContext, Setup } from '../../engine/session.js';
import { fieldOf } from '../fields.js';
import { findInList, isFound } from './setups.js';

/**
 * Checks that a list shows no record whose creation was refused.
 * @param noun what the list shows, for the message
 * @param field field of the records with the text by which they are recognized
 * @param texts the values of the field in the refused requests
 * @param newRecord locates a new record in the list. A list that is too long to be searched as a whole passes only if
 *   that succeeds, because then new records are on the pages that were searched. Without it, such a list always passes
 * @throws Violation; the errors of `newRecord`
 */
export async function expectNotListed(
  context: ClauseContext,
  path: string,
  {
    noun,
    field,
    texts,
    newRecord,
  }: {
    readonly noun: string;
    readonly field: string;
    readonly texts: readonly unknown[];
    readonly newRecord?: Setup<unknown>;
  },
): Promise<void> {
  const found = await findInList(context, path, (record) => texts.includes(record[field]));
  if (isFound(found)) {
    throw new Violation(`no ${noun} of a refused request in the list`, fieldOf(found, field), found.exchange);
  }
  if (found === 'unknown' && newRecord) await context.use(newRecord);
}
