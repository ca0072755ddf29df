import type { ContractOptions } from '../engine/open-session.js';
import type { Progress } from '../engine/suite.js';

/** Options that can be handed to a thread: the driver, if there is one, is a file. */
export type PlainOptions = Omit<ContractOptions, 'driver'> & { readonly driver?: string | undefined };

// In no file that `billing-sim/contract` leads to: what is declared here is not for the vitest runs of others.
declare module 'vitest' {
  interface ProvidedContext {
    contractOptions: PlainOptions;
    /** The name of the channel on which waiting is told. */
    contractChannel: string;
  }
  interface TaskMeta {
    contract?: Progress;
  }
}
