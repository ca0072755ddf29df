import type { FaultRule } from './faults.js';
import type { EventName, Subject } from './records.js';

/** The kind of record that a scenario is played on. */
export type ScenarioSubject = 'deposit' | 'invoice' | 'payment_link';

/** The events that can start a scenario: the events of the service, and two of ours for what it sends no event of. */
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
  /** Milliseconds on the account's clock after the step before, or after the start. */
  readonly after: number;
  readonly do: VerbName;
  readonly with: Readonly<Record<string, unknown>>;
  /** Of the verb `fault`: what `with` asks for. */
  readonly fault?: FaultRule;
}

/** A scripted lifecycle. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  readonly for: ScenarioSubject;
  /** Starts it by itself; without one it is started by name only. */
  readonly trigger?: {
    readonly event: TriggerEvent;
    /** Texts to be matched, in which `*` stands for anything; all of them must. */
    readonly match?: {
      readonly booking_reference?: string;
      readonly description?: string;
      readonly metadata?: Readonly<Record<string, string>>;
    };
  };
  readonly steps: readonly ScenarioStep[];
}

/** A scenario that is being played, or was. It keeps its steps, whatever becomes of the scenario's file. */
export interface Run {
  readonly id: number;
  readonly scenario: string;
  readonly subject: Subject;
  readonly steps: readonly ScenarioStep[];
  readonly status: 'running' | 'done' | 'stopped' | 'cancelled';
  /** Why it was stopped. */
  readonly reason: string | null;
  /** How many steps have been played. */
  readonly played: number;
  /** When the next step is due; null once it is over. */
  readonly due_at: string | null;
  /** How many runs led to this one, each starting the next. */
  readonly depth: number;
  readonly started_at: string;
}
