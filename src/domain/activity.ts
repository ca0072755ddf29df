import type { Step } from './advance-report.js';
import type { AgendaKind } from './agenda-item.js';
import type { Subject } from './records.js';

/**
 * Something that a user or guest did, for example in the dashboard. Requests that clients send to the service do not
 * count: they are in the request log.
 */
export interface Action {
  readonly by: 'control-api' | 'dashboard' | 'guest' | 'library';
  /**
   * Operation of the control API, or operation of the service that was submitted with a form of the dashboard; `view`,
   * `pay` or `authorize` for guests.
   */
  readonly operation: string;
}

/**
 * Adds details to the log entry of an action: `by 8 d to 2026-03-09 09:00:00`. Call it before the first commit of the
 * action.
 */
export type LogDetails = (details: string) => void;

/** Does nothing: for operations that only read, which are not logged. */
export const ignoreDetails: LogDetails = () => undefined;

/** Reference to a record whose creation can be logged. */
export interface RecordReference {
  readonly resource: Subject['resource'] | 'customer';
  readonly id: number | string;
}

/**
 * A change that a request, an action or a due agenda item caused: a new record, or a step such as a transition, an
 * event or a webhook attempt. The report of a clock advance lists the same steps.
 */
type Consequence = { readonly kind: 'created'; readonly at: string; readonly subject: RecordReference } | Step;

/**
 * Content of an entry: an action, an agenda item that was due, or a consequence. `at` is an ISO 8601
 * time on the account's clock.
 */
export type ActivityDetail =
  | ({ readonly kind: 'action'; readonly at: string } & Action & {
        /** Text to show after the operation, such as the name of a snapshot; null if the consequences say enough. */
        readonly details: string | null;
      })
  | {
      readonly kind: 'due';
      readonly at: string;
      readonly item: AgendaKind;
      /** Id of the row that the item is about, such as a deposit whose hold expires. */
      readonly id: number | string;
      /** Correlation of the clock advance that ran the item; null if the item ran without an advance. */
      readonly caused_by: string | null;
    }
  | Consequence;

/** An entry of the activity log, which lists what happened in an account and why. */
export interface Activity {
  /**
   * Number of the entry, starting at 1 when the simulator starts. The activity log and the request log share one
   * numbering.
   */
  readonly sequence: number;
  /** Shared by a cause and all its consequences. If the cause is a request, this is the id of the request. */
  readonly correlation: string;
  readonly detail: ActivityDetail;
}
