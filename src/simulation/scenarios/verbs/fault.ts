import type { ScenarioStep } from '../../../domain/scenario.js';
import { addFault } from '../../faults/faults.js';
import type { WritableAccount } from '../../transaction.js';
import type { Verb, With } from './verb.js';

/** Adds a fault to the account. */
export const faultVerb: Verb = { name: 'fault', on: { deposit: begin, invoice: begin, payment_link: begin } };

function begin(account: WritableAccount, _id: number | string, _given: With, { fault }: ScenarioStep): void {
  if (fault) addFault(account, fault);
}
