import type { Clause } from './clause.js';

/**
 * Estimated number of requests of a run that may write, and of a run that only reads; enough for a conforming target.
 */
type Cost = readonly [writing: number, reading: number];

/** Cost of checking all clauses, except those that exceed the rate limit. */
const wholeRunCost: Cost = [455, 128];

/** Maximum number of requests of a whole run that may write but has no driver, so that it skips many clauses. */
const requestsWithoutDriver = 300;

/**
 * Number of requests that the suite sends, in batches, to exceed the rate limit. The specification allows bursts of up to
 * 100 requests per minute.
 */
const excessRequests = 110;

/**
 * Cost of checking only the clauses with a prefix. The clause `INV-CREATE-07` has the prefixes `INV-CREATE` and `INV`.
 * Clauses share setups, so the short prefix needs fewer requests than its long ones together. The numbers are measured,
 * plus 5 percent; a test compares them with real runs.
 */
const costs: Readonly<Record<string, Cost>> = {
  INV: [104, 23],
  'INV-CREATE': [31, 8],
  'INV-RULE': [47, 2],
  'INV-LIST': [39, 14],
  'INV-DETAIL': [35, 9],
  'INV-OVERDUE': [32, 12],
  'INV-STATS': [31, 13],
  'INV-REMIND': [34, 7],
  LINK: [40, 7],
  'LINK-CREATE': [19, 2],
  'LINK-SLUG': [22, 2],
  'LINK-LIST': [21, 7],
  PAY: [70, 40],
  'PAY-LIST': [18, 7],
  'PAY-FIELD': [8, 3],
  'PAY-LINK': [15, 3],
  'PAY-FILTER': [66, 36],
  DEP: [126, 15],
  'DEP-CREATE': [9, 3],
  'DEP-FIELD': [15, 3],
  'DEP-IDEM': [39, 3],
  'DEP-READ': [49, 3],
  'DEP-LIST': [21, 6],
  'DEP-FILTER': [66, 10],
  'DEP-CAPTURE': [58, 3],
  'DEP-RELEASE': [32, 3],
  'DEP-STATE': [11, 2],
  HOOK: [80, 4],
  'HOOK-SENT': [23, 2],
  'HOOK-EVENT': [79, 2],
  'HOOK-PAY': [71, 3],
  'HOOK-BODY': [71, 2],
  'HOOK-HEAD': [74, 2],
  'HOOK-SIGN': [74, 4],
  'HOOK-URL': [71, 2],
  'HOOK-MOVE': [73, 2],
  AUTH: [141, 51],
  'AUTH-ACCOUNT': [42, 13],
  'AUTH-NOTOKEN': [24, 10],
  'AUTH-UNKNOWN': [24, 10],
  'AUTH-SCOPE': [24, 10],
  'AUTH-UNCHANGED': [26, 2],
  'AUTH-ADMITS': [39, 11],
  'AUTH-TOKEN': [18, 15],
  'AUTH-REPLAY': [6, 2],
  'AUTH-HEADER': [4, 3],
  ENV: [70, 25],
  'ENV-VALID': [16, 10],
  'ENV-SUCCESS': [30, 11],
  'ENV-ERROR': [53, 15],
  'ENV-DATA': [11, 5],
  'ENV-FILTER': [4, 3],
  'ENV-MESSAGE': [4, 3],
  'ENV-ERRORS': [17, 7],
  'ENV-JSON': [5, 3],
  'ENV-DECIMAL': [5, 3],
  VERSION: [4, 3],
  'VERSION-PATH': [4, 3],
  RATE: [18, 9],
  'RATE-HEADER': [4, 3],
  'RATE-FORM': [4, 3],
  'RATE-COUNT': [17, 9],
  'RATE-LIMIT': [4, 3],
  'RATE-RESET': [4, 3],
  'RATE-EXCESS': [3, 2],
  GAP: [61, 14],
  'GAP-DECIMAL': [4, 2],
  'GAP-NULL': [5, 2],
  'GAP-PAYMENT': [8, 3],
  'GAP-STATUS': [13, 2],
  'GAP-INVOICE': [15, 5],
  'GAP-OVERDUE': [9, 6],
  'GAP-LINK': [15, 2],
  'GAP-DEPOSIT': [17, 2],
  'GAP-EVENT': [23, 2],
  'GAP-PAGE': [13, 4],
  'GAP-VALIDATION': [6, 2],
  'GAP-AUTH': [7, 5],
  'GAP-RATE': [4, 3],
};

/**
 * Estimates the number of requests of a run. A conforming target whose changes take effect immediately needs fewer.
 * Others may need more, because the suite repeats requests: after a violation, or to wait for an effect.
 * @param hasDriver false if the run skips the clauses that need a driver
 * @param includeRateLimit true if the run includes the clauses that exceed the rate limit
 */
export function estimateRequests(
  chosen: readonly Pick<Clause, 'id'>[],
  {
    mayWrite,
    hasDriver,
    includeRateLimit,
  }: { readonly mayWrite: boolean; readonly hasDriver: boolean; readonly includeRateLimit: boolean },
): number {
  const column = mayWrite ? 0 : 1;
  const costOf = (prefix: string): number => (costs[prefix] ?? wholeRunCost)[column];
  const longPrefixes = new Set(chosen.map(({ id }) => longPrefixOf(id)));
  const shortPrefixes = new Set([...longPrefixes].map((prefix) => prefix.split('-', 1).join('')));
  const sum = [...shortPrefixes].reduce((total, shortPrefix) => {
    const longPrefixesOfGroup = [...longPrefixes].filter((prefix) => prefix.startsWith(`${shortPrefix}-`));
    return total + Math.min(costOf(shortPrefix), sumOf(longPrefixesOfGroup.map(costOf)));
  }, 0);
  const wholeRun = wholeRunCost[column];
  const maximum = hasDriver ? wholeRun : Math.min(wholeRun, requestsWithoutDriver);
  return Math.min(maximum, sum) + (includeRateLimit ? requestsToExceedLimit(chosen) : 0);
}

/** Number of requests that `--include rate-limit` adds to a run. */
export function requestsToExceedLimit(chosen: readonly Pick<Clause, 'id'>[]): number {
  return chosen.some(({ id }) => longPrefixOf(id) === 'RATE-EXCESS') ? excessRequests : 0;
}

/** Returns the long prefix of a clause: `INV-CREATE` for `INV-CREATE-07`. */
function longPrefixOf(id: string): string {
  return id.split('-').slice(0, 2).join('-');
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
