import type { AgendaKind } from './agenda-item.js';
import type { Step } from './receipt.js';
import type { Subject } from './records.js';

/** A change that somebody made other than by a request to the service. */
export interface Action {
  readonly by: 'control-api' | 'dashboard' | 'guest' | 'library';
  /** Operation of the control API or of the service; `view`, `pay` or `authorize` for guests. */
  readonly operation: string;
}

/** Reference to a record that can be created. */
export interface RecordReference {
  readonly resource: Subject['resource'] | 'customer';
  readonly id: number | string;
}

/** A creation of a record, or a step as in a receipt, that a commit led to. */
export type Consequence = { readonly kind: 'created'; readonly at: string; readonly subject: RecordReference } | Step;

/** Something that happened in an account, other than a request to the service. `at` is ISO 8601 on its clock. */
export type ActivityDetail =
  | ({ readonly kind: 'action'; readonly at: string } & Action)
  | { readonly kind: 'due'; readonly at: string; readonly item: AgendaKind; readonly id: number | string }
  | Consequence;

/** An entry of the activity log. */
export interface Activity {
  /** Counts from 1 since the start of the simulator, together with requests. */
  readonly sequence: number;
  /** Shared by a cause and everything that it led to. If the cause is a request, this is its id. */
  readonly correlation: string;
  readonly detail: ActivityDetail;
}
