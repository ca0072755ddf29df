/**
 * Kind of agenda item. `payment-ends`: a payment in progress succeeds or fails. `key-forgotten`: an Idempotency-Key
 * expires.
 */
export type AgendaKind =
  | 'invoice-falls-due'
  | 'deposit-expires'
  | 'payment-ends'
  | 'key-forgotten'
  | 'delivery-attempt'
  | 'mail-attempt'
  | 'scenario-step';

/**
 * Entry of the agenda, the list of what falls due in an account: when, for which stored row, and why (its kind). What
 * happens depends on the row at the time when the item runs.
 */
export interface AgendaItem {
  /** Milliseconds since 1970 on the account's clock. */
  readonly at: number;
  readonly kind: AgendaKind;
  /** Id of the row. */
  readonly id: number | string;
}
