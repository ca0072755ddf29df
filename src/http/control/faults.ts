import { effectStages } from '../../domain/faults.js';
import type { components } from '../../generated/control-validated-types.js';
import { addFault, clearFault, clearFaults, faultsOf, listed } from '../../simulation/faults.js';
import type { Forms } from './forms.js';
import type { ControlRoutes } from './routes.js';

type Routes = Pick<ControlRoutes, 'listFaults' | 'addFault' | 'clearFaults' | 'clearFault' | 'listEffects'>;

export function faultRoutes(forms: Forms): Routes {
  return {
    listFaults: ({ account }) => ({ faults: faultsOf(account).map((fault) => listed(account, fault)) }),

    addFault: async ({ account, body }) => {
      const fault = addFault(account, await forms.fault(body));
      await account.stored();
      return listed(account, fault);
    },

    clearFaults: ({ account }) => ({ cleared: clearFaults(account) }),

    clearFault: ({ account, id }) => listed(account, clearFault(account, id)),

    listEffects: async () => ({ effects: await describeEffects() }),
  };
}

async function describeEffects(): Promise<components['schemas']['DescribedEffect'][]> {
  const { effects } = await import('../../faults/index.js');
  return effects.map(({ name, summary, example, value = null, required = [], options }) => ({
    name,
    summary,
    example,
    stage: effectStages[name],
    value,
    required: [...required],
    options,
  }));
}
