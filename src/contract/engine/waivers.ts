/** Entry of a waivers file: accepts a known violation until a date. */
export interface Waiver {
  /** Id of the violated clause. */
  readonly clause: string;
  readonly reason: string;
  /** Last day on which the waiver applies, `YYYY-MM-DD`. */
  readonly until: string;
}
