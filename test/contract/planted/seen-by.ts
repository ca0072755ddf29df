/**
 * The clause that has to see each of some faults. Where others stand before it, they are checked first: those that look at
 * what was answered before need something that was.
 */
export type SeenBy<Id extends string> = Readonly<Record<Id, string>>;
