import type { ContractOptions } from '../engine/open-session.js';
import type { Progress } from '../engine/suite.js';

/** Options that can be handed to a thread: the driver, if there is one, is a file. */
export type PlainOptions = Omit<ContractOptions, 'driver'> & { readonly driver?: string | undefined };

/** Sent on the channel between the thread of the suite and the command. */
export type News =
  | { readonly opened: { readonly requestsPerMinute: number | undefined } }
  | { readonly waiting: number };

// In no file that `billing-sim/contract` leads to: what is declared here is not for the vitest runs of others.
declare module 'vitest' {
  interface ProvidedContext {
    contractOptions: PlainOptions;
    /** The name of the channel of `News`. */
    contractChannel: string;
  }
  interface TaskMeta {
    contract?: Progress;
  }
}
