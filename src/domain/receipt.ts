import type { EffectName } from './faults.js';
import type { Attempt, EventName, Subject } from './records.js';
import type { Run } from './scenario.js';

/** A change of an account that is worth reporting. `at` is ISO 8601 on its clock. */
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
      /** Whether there is a webhook URL that it is sent to. */
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
      /** Why it could not be handed over; null if it was, or need not be. */
      readonly error: string | null;
    }
  | ({ readonly at: string; readonly kind: 'scenario' } & Pick<
      Run,
      'id' | 'scenario' | 'subject' | 'status' | 'played' | 'reason'
    >);

/** The steps made while a clock was advanced, in their order. */
export interface Receipt {
  readonly from: string;
  readonly to: string;
  readonly steps: readonly Step[];
  /** Deliveries and mails that were still being sent when the timeout for receivers passed. They go on. */
  readonly unsettled: readonly string[];
}
