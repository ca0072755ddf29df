import type { FaultRule } from './faults.js';
import type { EventName, Subject } from './records.js';

/** Kind of record that a scenario runs on. */
export type ScenarioSubject = 'deposit' | 'invoice' | 'payment_link';

/** Events that can start a scenario: those of the service, and two internal ones. */
type TriggerEvent = EventName | 'invoice.created' | 'payment_link.created';

export type VerbName =
  | 'authorize'
  | 'decline'
  | 'capture'
  | 'release'
  | 'expire'
  | 'pay'
  | 'fail'
  | 'send'
  | 'view'
  | 'cancel'
  | 'fault';

export interface ScenarioStep {
  /** Milliseconds after the previous step or the start, on the account's clock. */
  readonly after: number;
  readonly do: VerbName;
  readonly with: Readonly<Record<string, unknown>>;
  /** Parsed `with` of the verb `fault`. */
  readonly fault?: FaultRule;
}

/** A scripted lifecycle. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  readonly for: ScenarioSubject;
  /** Starts it automatically; without a trigger it is only started by name. */
  readonly trigger?: {
    readonly event: TriggerEvent;
    /** Strings in which `*` matches anything; all of them must match. */
    readonly match?: {
      readonly booking_reference?: string;
      readonly description?: string;
      readonly metadata?: Readonly<Record<string, string>>;
    };
  };
  readonly steps: readonly ScenarioStep[];
}

/** A run of a scenario. It keeps its own steps, even if the scenario's file changes. */
export interface Run {
  readonly id: number;
  readonly scenario: string;
  readonly subject: Subject;
  readonly steps: readonly ScenarioStep[];
  readonly status: 'running' | 'done' | 'stopped' | 'cancelled';
  /** Why it was stopped. */
  readonly reason: string | null;
  /** Number of completed steps. */
  readonly played: number;
  /** Time of the next step; null once it is over. */
  readonly due_at: string | null;
  /** Length of the chain of runs that started each other. */
  readonly depth: number;
  readonly started_at: string;
}
