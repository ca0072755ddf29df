/**
 * For each fault, the ids of the clauses to check, separated by spaces. The last clause must detect the fault. It may
 * read responses to earlier requests; the other clauses are checked first to send those.
 */
export type DetectedBy<Id extends string> = Readonly<Record<Id, string>>;
