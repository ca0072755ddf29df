/**
 * Clause ids by fault id, separated by spaces. The last clause must detect the fault. The others run before it, since some
 * clauses read the responses to earlier requests.
 */
export type DetectedBy<Id extends string> = Readonly<Record<Id, string>>;
