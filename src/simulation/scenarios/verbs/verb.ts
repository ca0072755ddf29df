import type { ScenarioStep, ScenarioSubject, VerbName } from '../../../domain/scenario.js';
import type { WritableAccount } from '../../transaction.js';

/** The parameters of a verb: the step's `with`, valid by fixtures/scenarios/scenario.schema.json. */
export type With = Readonly<Record<string, unknown>>;

/** An action that a step of a scenario can take. */
export interface Verb {
  readonly name: VerbName;
  /** How it is done to each kind of record that it can be done to. @throws ServiceError where the record's state has no way for it */
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
