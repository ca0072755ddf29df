import { Skip, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import { valueAt } from '../../engine/expect.js';
import type { Setup } from '../../engine/session.js';
import { pageQuotes } from '../field-quotes.js';
import { expectEachResponse, successesSoFar } from '../responses.js';
import { isFiltered } from './pages.js';
import { toListPage } from './setups.js';

/** True if a response lists all records that match a filter: it is the first page, and that is not full. */
function hasAllMatches(response: Exchange): boolean {
  if (!isFiltered(response) || /[?&]page=/.test(response.call.path)) return false;
  return toListPage(response).records.length < Number(valueAt(response.json, 'data.per_page'));
}

/**
 * Creates the clause that `total` counts only the matching records, on the filtered pages so far that show all of them. It
 * is inferred: "total number of records" suggests those that match, but may also mean all records of the account.
 * @param plural names the records: `payments`
 * @param filteredPage reads a filtered page, so that there is at least one
 */
export function filteredTotalClause(
  id: string,
  operation: 'listPayments' | 'listDeposits',
  plural: string,
  filteredPage: Setup<unknown>,
): Clause {
  return {
    id,
    level: 'inferred',
    operation,
    spec: 'Pagination envelope (list endpoints)',
    quote: pageQuotes.total,
    title: `\`total\` of filtered ${plural} counts only the matching ones.`,
    readsEarlierResponses: true,
    check: async (context) => {
      await context.use(filteredPage);
      // A missing `total` violates another clause. A target may update it late, so only the latest page of each query
      // counts.
      const latestPages = new Map(successesSoFar(context, operation).map((response) => [response.call.path, response]));
      const responses = [...latestPages.values()]
        .filter(hasAllMatches)
        .filter((response) => toListPage(response).total !== undefined);
      if (responses.length === 0) {
        throw new Skip({
          missing: `a page with all matching ${plural}`,
          reason: `no page of matching ${plural} shows fewer records than \`per_page\``,
        });
      }
      expectEachResponse(context, responses, (response) => {
        const { page, records, total } = toListPage(response);
        if (total !== records.length) throw new Violation(`\`data.total\` to be ${records.length}`, total, page);
      });
    },
  };
}
