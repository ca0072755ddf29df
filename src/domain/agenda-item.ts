export type AgendaKind =
  | 'invoice-falls-due'
  | 'deposit-expires'
  | 'payment-ends'
  | 'key-forgotten'
  | 'delivery-attempt'
  | 'mail-attempt'
  | 'scenario-step';

/** Something that is due at a time. What it does is decided when it runs, from the current row. */
export interface AgendaItem {
  /** Milliseconds since 1970 on the account's clock. */
  readonly at: number;
  readonly kind: AgendaKind;
  readonly id: number | string;
}
