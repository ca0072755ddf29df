/** Kind of agenda item. `key-forgotten`: an Idempotency-Key expires. */
export type AgendaKind =
  | 'invoice-falls-due'
  | 'deposit-expires'
  | 'payment-ends'
  | 'key-forgotten'
  | 'delivery-attempt'
  | 'mail-attempt'
  | 'scenario-step';

/** Says that something is due for a row at a time. What happens depends on the row at the time when the item runs. */
export interface AgendaItem {
  /** Milliseconds since 1970 on the account's clock. */
  readonly at: number;
  readonly kind: AgendaKind;
  /** Id of the row. */
  readonly id: number | string;
}
