import type { ScenarioStep, ScenarioSubject, VerbName } from '../../../domain/scenario.js';
import type { WritableAccount } from '../../transaction.js';

/** Parameters of a verb: the step's `with`, validated by fixtures/scenarios/scenario.schema.json. */
export type With = Readonly<Record<string, unknown>>;

/** An action of a scenario step. */
export interface Verb {
  readonly name: VerbName;
  /**
   * Implementation for each kind of record that supports it.
   * @throws ServiceError if the status of the record does not allow it
   */
  readonly on: Partial<
    Record<ScenarioSubject, (account: WritableAccount, id: number | string, given: With, step: ScenarioStep) => void>
  >;
}

export function numberOf(given: With, name: string): number | undefined {
  const value = given[name];
  return typeof value === 'number' ? value : undefined;
}

export function textOf(given: With, name: string): string | undefined {
  const value = given[name];
  return typeof value === 'string' ? value : undefined;
}
