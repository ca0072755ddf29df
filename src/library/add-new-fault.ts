import type { FaultContext, FaultRule } from '../domain/faults.js';
import type { NewFault } from '../faults/rule.js';
import { addFault, faultContextOf, faultOf, type ListedFault, toListedFault } from '../simulation/faults/faults.js';
import type { Actions } from './actions.js';

/**
 * Adds a fault to an account. Parses it here, since an invalid fault must cause a FaultError, not the ServiceError of
 * the control API.
 * @throws FaultError
 */
export async function addNewFault(fault: NewFault, { read, act }: Pick<Actions, 'read' | 'act'>): Promise<ListedFault> {
  // Loaded on first use: most simulators never get a fault.
  const { describeFault } = await import('../faults/describe-fault.js');
  const rule = await readNewFault(fault, await read(faultContextOf));
  return act('addFault', (account, logDetails) => {
    logDetails(describeFault(faultOf(account, rule)));
    return toListedFault(account, addFault(account, rule));
  });
}

/** Parses a fault. @throws FaultError whose message names everything that is invalid, as the control API does */
async function readNewFault(fault: NewFault, context: FaultContext): Promise<FaultRule> {
  const { readFault } = await import('../faults/rule.js');
  const { FaultError } = await import('../faults/fault-error.js');
  try {
    return readFault(fault, context);
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    const { path, others } = error;
    throw new FaultError(path, [error, ...others].map(({ message }) => message).join('; '), others);
  }
}
