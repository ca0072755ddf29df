import type { Clause } from './clause.js';

/**
 * Estimated number of requests of a run that may write, and of a run that only reads; enough for a conforming target.
 */
type Cost = readonly [writing: number, reading: number];

/**
 * Cost of checking all clauses, except those that exceed the rate limit. It is enough for targets that take more
 * requests than a simulator: their errors do not name the invalid fields, and their deposits do not show the status.
 */
const wholeRunCost: Cost = [460, 129];

/** Maximum number of requests of a whole run that may write but has no driver, so that it skips many clauses. */
const requestsWithoutDriver = 305;

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
  INV: [93, 24],
  'INV-CREATE': [33, 8],
  'INV-RULE': [31, 2],
  'INV-LIST': [44, 15],
  'INV-DETAIL': [41, 9],
  'INV-OVERDUE': [37, 13],
  'INV-STATS': [35, 13],
  'INV-REMIND': [38, 7],
  LINK: [37, 8],
  'LINK-CREATE': [16, 2],
  'LINK-SLUG': [24, 2],
  'LINK-LIST': [23, 8],
  PAY: [74, 43],
  'PAY-LIST': [21, 7],
  'PAY-FIELD': [9, 3],
  'PAY-LINK': [17, 3],
  'PAY-FILTER': [70, 38],
  DEP: [128, 16],
  'DEP-CREATE': [9, 3],
  'DEP-FIELD': [15, 3],
  'DEP-IDEM': [37, 3],
  'DEP-READ': [44, 4],
  'DEP-LIST': [21, 6],
  'DEP-FILTER': [69, 11],
  'DEP-CAPTURE': [58, 3],
  'DEP-RELEASE': [29, 3],
  'DEP-STATE': [11, 2],
  HOOK: [79, 5],
  'HOOK-SENT': [21, 3],
  'HOOK-EVENT': [75, 3],
  'HOOK-PAY': [67, 3],
  'HOOK-BODY': [67, 2],
  'HOOK-HEAD': [70, 2],
  'HOOK-SIGN': [70, 5],
  'HOOK-URL': [67, 2],
  'HOOK-MOVE': [70, 2],
  AUTH: [178, 60],
  'AUTH-ACCOUNT': [47, 14],
  'AUTH-ISOLATION': [70, 6],
  'AUTH-NOTOKEN': [46, 17],
  'AUTH-UNKNOWN': [46, 17],
  'AUTH-SCOPE': [46, 17],
  'AUTH-UNCHANGED': [37, 2],
  'AUTH-ADMITS': [40, 11],
  'AUTH-TOKEN': [18, 15],
  'AUTH-REPLAY': [7, 2],
  'AUTH-HEADER': [4, 3],
  ENV: [72, 27],
  'ENV-VALID': [17, 10],
  'ENV-SUCCESS': [29, 11],
  'ENV-ERROR': [54, 15],
  'ENV-DATA': [25, 5],
  'ENV-FILTER': [4, 3],
  'ENV-MESSAGE': [18, 3],
  'ENV-ERRORS': [17, 7],
  'ENV-JSON': [5, 3],
  'ENV-DECIMAL': [8, 3],
  VERSION: [4, 3],
  'VERSION-PATH': [4, 3],
  RATE: [21, 11],
  'RATE-HEADER': [4, 3],
  'RATE-FORM': [4, 3],
  'RATE-COUNT': [17, 9],
  'RATE-LIMIT': [4, 3],
  'RATE-RESET': [4, 3],
  'RATE-EXCESS': [3, 2],
  GAP: [68, 15],
  'GAP-DECIMAL': [4, 2],
  'GAP-NULL': [7, 2],
  'GAP-PAYMENT': [9, 3],
  'GAP-STATUS': [18, 2],
  'GAP-INVOICE': [18, 5],
  'GAP-OVERDUE': [21, 10],
  'GAP-LINK': [18, 2],
  'GAP-DEPOSIT': [16, 2],
  'GAP-EVENT': [21, 3],
  'GAP-PAGE': [19, 4],
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
