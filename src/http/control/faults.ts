import { effectStages } from '../../domain/faults.js';
import type { components } from '../../generated/control-validated-types.js';
import {
  addFault,
  clearFault,
  clearFaults,
  faultContextOf,
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

  addFault: async ({ account, body }) => {
    // Loaded on first use: most simulators never get a fault.
    const { readFault } = await import('../../faults/rule.js');
    const fault = addFault(
      account,
      withFieldErrors(() => readFault(body, faultContextOf(account))),
    );
    await account.whenStored();
    return toListedFault(account, fault);
  },

  clearFaults: ({ account }) => ({ cleared: clearFaults(account) }),

  getFault: ({ account, id }) => toListedFault(account, getFault(account, id)),

  clearFault: ({ account, id }) => toListedFault(account, clearFault(account, id)),

  listEffects: async ({ query }) => pageOf(query, { rows: await describeEffects(), view: (effect) => effect }),
} satisfies Partial<ControlRoutes>;

async function describeEffects(): Promise<components['schemas']['DescribedEffect'][]> {
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
