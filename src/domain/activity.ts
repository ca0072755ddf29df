import type { AgendaKind } from './agenda-item.js';
import type { Step } from './receipt.js';
import type { Subject } from './records.js';

/** An action of a user or guest, for example in the dashboard. Requests to the service do not count as actions. */
export interface Action {
  readonly by: 'control-api' | 'dashboard' | 'guest' | 'library';
  /** Operation of the control API or of the service; `view`, `pay` or `authorize` for guests. */
  readonly operation: string;
}

/** Reference to a record of which the log can report the creation. */
export interface RecordReference {
  readonly resource: Subject['resource'] | 'customer';
  readonly id: number | string;
}

/** Consequence of a commit: the creation of a record, or a step as in a receipt. */
type Consequence = { readonly kind: 'created'; readonly at: string; readonly subject: RecordReference } | Step;

/** Action, due agenda item or consequence. `at` is ISO 8601 on the clock of the account. */
export type ActivityDetail =
  | ({ readonly kind: 'action'; readonly at: string } & Action)
  | { readonly kind: 'due'; readonly at: string; readonly item: AgendaKind; readonly id: number | string }
  | Consequence;

/** An entry of the activity log. */
export interface Activity {
  /** Sequence number since the start of the simulator, from 1. Entries and requests share the sequence. */
  readonly sequence: number;
  /** Shared by a cause and all its consequences. If the cause is a request, this is the id of the request. */
  readonly correlation: string;
  readonly detail: ActivityDetail;
}
