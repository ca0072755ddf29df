import type { FaultRule } from './faults.js';
import type { EventName, Subject } from './records.js';

/** Kind of record that a scenario runs on. */
export type ScenarioSubject = 'deposit' | 'invoice' | 'payment_link';

/** Events that can start a scenario: the webhook events of the service, and two internal events. */
type TriggerEvent = EventName | 'invoice.created' | 'payment_link.created';

export const verbNames = [
  'authorize',
  'decline',
  'capture',
  'release',
  'expire',
  'pay',
  'fail',
  'finalize',
  'send',
  'view',
  'cancel',
  'fault',
] as const;
/** Action that a step performs on its record, such as `pay`; `fault` adds a fault to the account. */
export type VerbName = (typeof verbNames)[number];

/** A compiled step, with its delay in milliseconds. */
export interface ScenarioStep {
  /** Milliseconds after the previous step or the start, on the account's clock. */
  readonly after: number;
  readonly do: VerbName;
  readonly with: Readonly<Record<string, unknown>>;
  /** Parsed `with` of a `fault` step. */
  readonly fault?: FaultRule;
}

/** Starts a scenario automatically, on the record that an event is about. */
export type ScenarioTrigger = {
  readonly event: TriggerEvent;
  /** Strings in which `*` matches anything; all of them must match. */
  readonly match?: {
    readonly booking_reference?: string;
    readonly description?: string;
    readonly metadata?: Readonly<Record<string, string>>;
  };
};

/** A script of steps for a record, such as a guest who authorizes a deposit late. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  readonly for: ScenarioSubject;
  /** Starts the scenario; without a trigger, it can only be started by name. */
  readonly trigger?: ScenarioTrigger;
  readonly steps: readonly ScenarioStep[];
}

export const runStatuses = ['running', 'done', 'stopped', 'cancelled'] as const;

/** A run of a scenario on a record. Changes to the scenario do not affect it, since it contains a copy of the steps. */
export interface Run {
  readonly id: number;
  readonly scenario: string;
  readonly subject: Subject;
  readonly steps: readonly ScenarioStep[];
  /** `stopped` after a step that failed, or if too many runs started each other; `cancelled` on request. */
  readonly status: (typeof runStatuses)[number];
  /** Why the run was stopped; null if it was not. */
  readonly reason: string | null;
  /** Number of completed steps. */
  readonly completed_steps: number;
  /** Time of the next step; null once the run is over. */
  readonly due_at: string | null;
  /** Number of runs that led to this one, each started by the one before; 0 if no run started it. */
  readonly depth: number;
  readonly started_at: string;
}
