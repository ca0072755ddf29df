import { effectStages } from '../../domain/faults.js';
import type { components } from '../../generated/control-validated-types.js';
import {
  addFault,
  clearFault,
  clearFaults,
  faultContextOf,
  faultOf,
  getFault,
  toListedFault,
  unclearedFaultsOf,
} from '../../simulation/faults/faults.js';
import type { ControlRoutes } from './operations.js';
import { pageOf } from './pagination.js';
import { withFieldErrors } from './parse-fields.js';

export const faultRoutes = {
  listFaults: ({ account, query }) =>
    pageOf(query, { rows: unclearedFaultsOf(account), view: (fault) => toListedFault(account, fault) }),

  addFault: async ({ account, body, logDetails }) => {
    // Loaded on first use: most simulators never get a fault.
    const { readFault } = await import('../../faults/rule.js');
    const describeFault = await loadDescribeFault();
    const rule = withFieldErrors(() => readFault(body, faultContextOf(account)));
    logDetails(describeFault(faultOf(account, rule)));
    const fault = addFault(account, rule);
    await account.whenStored();
    return toListedFault(account, fault);
  },

  clearFaults: async ({ account, logDetails }) => {
    const describeFault = await loadDescribeFault();
    const faults = unclearedFaultsOf(account);
    logDetails(faults.length === 0 ? 'no faults' : faults.map(describeFault).join('; '));
    const cleared = clearFaults(account);
    await account.whenStored();
    return { cleared };
  },

  getFault: ({ account, id }) => toListedFault(account, getFault(account, id)),

  clearFault: async ({ account, id, logDetails }) => {
    const describeFault = await loadDescribeFault();
    logDetails(describeFault(getFault(account, id)));
    const cleared = clearFault(account, id);
    await account.whenStored();
    return toListedFault(account, cleared);
  },

  listEffects: async ({ query }) => pageOf(query, { rows: await describeEffects(), view: (effect) => effect }),
} satisfies Partial<ControlRoutes>;

async function loadDescribeFault() {
  const { describeFault } = await import('../../faults/describe-fault.js');
  return describeFault;
}

/** Describes the effects that faults can have. */
export async function describeEffects(): Promise<components['schemas']['DescribedEffect'][]> {
  const { effects } = await import('../../faults/index.js');
  return effects.map(({ name, summary, example, valueOption = null, required = [], options }) => ({
    name,
    summary,
    example,
    stage: effectStages[name],
    value: valueOption,
    required: [...required],
    options,
  }));
}
