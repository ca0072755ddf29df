import { UserError } from '../../lib/user-error.js';

/** Thrown for stored rows that contradict each other. The message says where, and what to do. */
export class StoredDataError extends UserError {
  override readonly name = 'StoredDataError';
  /** The message without the advice. */
  readonly contradiction: string;

  /** @param contradiction says where the rows contradict each other, and how */
  constructor(contradiction: string) {
    super(
      `${contradiction}. Nothing has been changed; correct the data, or let \`billing-sim data repair\` copy the intact data into a new folder`,
    );
    this.contradiction = contradiction;
  }
}
