/**
 * For each fault, the ids of the clauses to check, separated by spaces. The last clause must detect the fault. Others
 * stand before it if it examines responses to earlier requests: they send those requests.
 */
export type DetectedBy<Id extends string> = Readonly<Record<Id, string>>;
