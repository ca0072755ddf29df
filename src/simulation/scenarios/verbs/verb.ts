import type { ScenarioStep, ScenarioSubject, VerbName } from '../../../domain/scenario.js';
import type { WritableAccount } from '../../transaction.js';

/** Parameters of a verb: the step's `with`, validated by fixtures/scenarios/scenario.schema.json. */
export type StepParameters = Readonly<Record<string, unknown>>;

/** An action that a scenario step can perform, such as `capture`. */
export interface Verb {
  readonly name: VerbName;
  /**
   * Function that performs the action, for each kind of record that supports it.
   * @throws ServiceError if the status of the record does not allow it
   */
  readonly on: Partial<
    Record<
      ScenarioSubject,
      (account: WritableAccount, id: number | string, parameters: StepParameters, step: ScenarioStep) => void
    >
  >;
}

/** Returns a parameter; undefined if it is missing or not a number. */
export function numberOf(parameters: StepParameters, name: string): number | undefined {
  const value = parameters[name];
  return typeof value === 'number' ? value : undefined;
}

/** Returns a parameter; undefined if it is missing or not a string. */
export function textOf(parameters: StepParameters, name: string): string | undefined {
  const value = parameters[name];
  return typeof value === 'string' ? value : undefined;
}
