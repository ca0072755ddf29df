import type { EffectName } from './faults.js';
import type { Attempt, EventName, Subject } from './records.js';
import type { Run } from './scenario.js';

/** A change of an account that receipts report. `at` is ISO 8601 on its clock. */
export type Step =
  | {
      readonly at: string;
      readonly kind: 'transition';
      readonly subject: Subject;
      readonly cause: string;
      readonly from: string;
      readonly to: string;
    }
  | {
      readonly at: string;
      readonly kind: 'event';
      readonly id: string;
      readonly event: EventName;
      readonly subject: Subject;
      /** Whether a webhook URL was set. */
      readonly sent: boolean;
    }
  | ({ readonly at: string; readonly kind: 'attempt'; readonly event: EventName } & Pick<
      Attempt,
      'delivery_id' | 'number' | 'status' | 'error'
    > & { readonly next_attempt_at: string | null; readonly applied_faults: readonly EffectName[] })
  | {
      readonly at: string;
      readonly kind: 'mail';
      readonly id: number;
      readonly to: string;
      readonly subject: string;
      /** Why an attempt to send it failed; null if it succeeded or was not needed. */
      readonly error: string | null;
    }
  | ({ readonly at: string; readonly kind: 'scenario' } & Pick<
      Run,
      'id' | 'scenario' | 'subject' | 'status' | 'played' | 'reason'
    >);

/** Steps of an advance of the clock, in order. */
export interface Receipt {
  readonly from: string;
  readonly to: string;
  readonly steps: readonly Step[];
  /** Deliveries and mails in flight when the timeout expired. They continue in the background. */
  readonly unsettled: readonly string[];
}
