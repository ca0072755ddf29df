import type { EffectName } from './faults.js';
import type { Attempt, EventName, Subject } from './records.js';
import type { Run } from './scenario.js';

/**
 * Something that happened during a clock advance, as the report lists it. `at` is an ISO 8601 time on the account's
 * clock.
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
      /** False if no webhook URL was set, so that the event was only recorded. */
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
      /** Address of the recipient. */
      readonly to: string;
      /** Subject line. */
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
   * Deliveries and emails that were still queued or in flight when the advance stopped waiting for them: ids of
   * deliveries, and `email 3` for the email with the id 3. They continue in the background.
   */
  readonly in_progress: readonly string[];
}
