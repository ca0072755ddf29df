import type { Account } from '../account.js';
import { numberOf, type Verb, type With } from './verb.js';

/** The next webhook attempts fail as if the receiver had answered so. */
export const faultVerb: Verb = { name: 'fault', on: { deposit: fail, invoice: fail, payment_link: fail } };

function fail(account: Account, _id: number | string, given: With): void {
  const [status = 503, times = 1] = [numberOf(given, 'status'), numberOf(given, 'times')];
  account.commit({ faults: [{ id: account.faults.nextId(), status, times, hits: 0 }] });
}
