import type { FaultContext } from '../domain/faults.js';
import type { Scenario as CompiledScenario, ScenarioSubject, ScenarioTrigger, VerbName } from '../domain/scenario.js';
import { isRecord } from '../lib/json.js';

/**
 * A script of what happens to a record, such as a late authorization of a deposit. Scenario files have the same form, but
 * their delays are always durations such as `1m`.
 */
export interface Scenario {
  /** Up to 63 lowercase letters, digits and hyphens. */
  readonly name: string;
  /** Up to 200 characters. */
  readonly description: string;
  /** Kind of record that it runs on. */
  readonly for: ScenarioSubject;
  /** Starts the scenario; without a trigger, it can only be started by name. */
  readonly trigger?: ScenarioTrigger;
  /** Up to 100 steps. */
  readonly steps: readonly ScenarioStep[];
}

/** A step of a scenario. */
export interface ScenarioStep {
  /**
   * Delay after the previous step or the start, on the account's clock: a duration such as `1m`, or milliseconds;
   * default: 0.
   */
  readonly after?: string | number;
  /** Action on the record. */
  readonly do: VerbName;
  /** Options of the action, such as the `amount` of `capture`; default: none. */
  readonly with?: Readonly<Record<string, unknown>>;
}

/**
 * Compiles a scenario like one from a file, but also accepts delays in milliseconds.
 * @param account the account to which it is added; undefined if it is for all accounts
 * @throws ScenarioError
 */
export async function compileScenario(scenario: Scenario, account?: FaultContext): Promise<CompiledScenario> {
  // Loaded on first use: most simulators have only the built-in scenarios.
  const files = await import('../files/scenario-files.js');
  return files.compileScenario(withDurations(scenario), account);
}

/** Converts delays in milliseconds to durations. Plain JavaScript can pass anything, so the type is unknown. */
function withDurations(scenario: unknown): unknown {
  if (!isRecord(scenario) || !Array.isArray(scenario['steps'])) return scenario;
  return { ...scenario, steps: scenario['steps'].map(withDuration) };
}

function withDuration(step: unknown): unknown {
  if (!isRecord(step) || typeof step['after'] !== 'number') return step;
  const { after } = step;
  return Number.isFinite(after) && after >= 0 ? { ...step, after: `${after}ms` } : step;
}
