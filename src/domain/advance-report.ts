import type { EffectName } from './faults.js';
import type { Attempt, EventName, Subject } from './records.js';
import type { Run } from './scenario.js';

/**
 * A change in an account, as the report of a clock advance lists it. `at` is ISO 8601 on the clock of the account.
 */
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
      /** True if a webhook URL was set. */
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
      /** Why the last attempt to send the email failed; null if it succeeded, or if there was none. */
      readonly error: string | null;
    }
  | ({ readonly at: string; readonly kind: 'scenario' } & Pick<
      Run,
      'id' | 'scenario' | 'subject' | 'status' | 'completed_steps' | 'reason'
    >);

/** Report on an advance of the clock: everything that happened, in order. Times are ISO 8601. */
export interface AdvanceReport {
  readonly from: string;
  readonly to: string;
  readonly steps: readonly Step[];
  /**
   * Ids of the deliveries that were queued or in flight when the timeout expired, and `email 3` for an email.
   * They continue in the background.
   */
  readonly in_progress: readonly string[];
}
