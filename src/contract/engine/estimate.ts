import type { Clause } from './clause.js';

/** Maximum number of requests of a run that may write, and of a run that only reads. */
type Cost = readonly [writing: number, reading: number];

/** Cost of checking all clauses, except those that exceed the rate limit. */
const wholeRunCost: Cost = [289, 115];

/** Requests needed to exceed the rate limit: the specification allows bursts of up to 100 requests per minute. */
const excessRequests = 110;

/**
 * Cost of checking only one section of clauses, or only one group of sections. The clause `INV-CREATE-07` is in the
 * section `INV-CREATE` and in the group `INV`. Sections share setups, so a group needs fewer requests than its sections
 * one by one. The numbers are measured, plus 5 percent; a test compares them with real runs.
 */
const costs: Readonly<Record<string, Cost>> = {
  INV: [73, 23],
  'INV-CREATE': [23, 8],
  'INV-RULE': [26, 2],
  'INV-LIST': [32, 15],
  'INV-DETAIL': [25, 9],
  'INV-OVERDUE': [19, 7],
  'INV-STATS': [30, 13],
  'INV-REMIND': [15, 5],
  LINK: [23, 7],
  'LINK-CREATE': [14, 2],
  'LINK-SLUG': [8, 2],
  'LINK-LIST': [17, 7],
  PAY: [49, 30],
  'PAY-LIST': [17, 6],
  'PAY-FIELD': [8, 3],
  'PAY-LINK': [14, 3],
  'PAY-FILTER': [45, 28],
  DEP: [82, 15],
  'DEP-CREATE': [7, 3],
  'DEP-FIELD': [10, 3],
  'DEP-IDEM': [26, 3],
  'DEP-READ': [45, 4],
  'DEP-LIST': [14, 6],
  'DEP-FILTER': [38, 11],
  'DEP-CAPTURE': [27, 3],
  'DEP-RELEASE': [24, 3],
  'DEP-STATE': [10, 2],
  HOOK: [31, 4],
  'HOOK-SENT': [23, 2],
  'HOOK-EVENT': [23, 2],
  'HOOK-PAY': [9, 3],
  'HOOK-BODY': [23, 2],
  'HOOK-HEAD': [23, 2],
  'HOOK-SIGN': [29, 4],
  'HOOK-URL': [23, 2],
  'HOOK-MOVE': [25, 2],
  AUTH: [92, 65],
  'AUTH-NOTOKEN': [23, 16],
  'AUTH-UNKNOWN': [25, 16],
  'AUTH-SCOPE': [23, 10],
  'AUTH-UNCHANGED': [27, 2],
  'AUTH-ADMITS': [34, 11],
  'AUTH-TOKEN': [19, 16],
  'AUTH-HEADER': [5, 4],
  ENV: [59, 28],
  'ENV-SUCCESS': [30, 11],
  'ENV-ERROR': [44, 18],
  'ENV-DATA': [11, 5],
  'ENV-MESSAGE': [4, 3],
  'ENV-ERRORS': [4, 3],
  'ENV-FILTER': [4, 3],
  'ENV-JSON': [6, 4],
  VERSION: [4, 3],
  'VERSION-PATH': [4, 3],
  RATE: [11, 9],
  'RATE-HEADER': [4, 3],
  'RATE-FORM': [4, 3],
  'RATE-COUNT': [10, 9],
  'RATE-LIMIT': [4, 3],
  'RATE-RESET': [4, 3],
  'RATE-EXCESS': [3, 2],
  GAP: [60, 16],
  'GAP-DECIMAL': [4, 2],
  'GAP-NULL': [5, 2],
  'GAP-PAYMENT': [8, 3],
  'GAP-STATUS': [13, 2],
  'GAP-INVOICE': [13, 5],
  'GAP-OVERDUE': [9, 7],
  'GAP-LINK': [14, 2],
  'GAP-DEPOSIT': [17, 2],
  'GAP-EVENT': [23, 2],
  'GAP-PAGE': [11, 4],
  'GAP-VALIDATION': [6, 2],
  'GAP-AUTH': [9, 7],
  'GAP-RATE': [4, 3],
};

/**
 * Estimates the number of requests of a run. It is an upper bound if the target responds to each of them: a request
 * without a response is repeated.
 * @param exceedsLimit true if the run includes the clauses that exceed the rate limit
 */
export function estimateRequests(
  chosen: readonly Pick<Clause, 'id'>[],
  { mayWrite, exceedsLimit }: { readonly mayWrite: boolean; readonly exceedsLimit: boolean },
): number {
  const costOf = (sectionOrGroup: string): number => (costs[sectionOrGroup] ?? wholeRunCost)[mayWrite ? 0 : 1];
  const sections = new Set(chosen.map(({ id }) => sectionOf(id)));
  const groups = new Set([...sections].map((section) => section.split('-', 1).join('')));
  const sum = [...groups].reduce((total, group) => {
    const sectionsOfGroup = [...sections].filter((section) => section.startsWith(`${group}-`));
    return total + Math.min(costOf(group), sumOf(sectionsOfGroup.map(costOf)));
  }, 0);
  return Math.min(wholeRunCost[mayWrite ? 0 : 1], sum) + (exceedsLimit ? requestsToExceedLimit(chosen) : 0);
}

/** Number of requests that `--include rate-limit` adds to a run. */
export function requestsToExceedLimit(chosen: readonly Pick<Clause, 'id'>[]): number {
  return chosen.some(({ id }) => sectionOf(id) === 'RATE-EXCESS') ? excessRequests : 0;
}

/** Names the section of a clause: `INV-CREATE` for `INV-CREATE-07`. */
function sectionOf(id: string): string {
  return id.split('-').slice(0, 2).join('-');
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
