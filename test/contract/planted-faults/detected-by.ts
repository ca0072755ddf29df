/**
 * For each fault, the ids of the clauses to check, separated by spaces. The last clause must detect the fault. If it
 * reads responses to earlier requests, the clauses before it send those requests.
 */
export type DetectedBy<Id extends string> = Readonly<Record<Id, string>>;
