import type { ScenarioStep } from '../../../domain/scenario.js';
import { addFault } from '../../faults/faults.js';
import type { WritableAccount } from '../../transaction.js';
import type { StepParameters, Verb } from './verb.js';

/** Adds a fault, such as an error response to later requests, to the account. */
export const faultVerb: Verb = {
  name: 'fault',
  on: { deposit: addFaultOfStep, invoice: addFaultOfStep, payment_link: addFaultOfStep },
};

function addFaultOfStep(
  account: WritableAccount,
  _id: number | string,
  _parameters: StepParameters,
  { fault }: ScenarioStep,
): void {
  if (fault) addFault(account, fault);
}
