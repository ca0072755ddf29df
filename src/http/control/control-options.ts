import type { SnapshotFile } from '../../simulation/state/snapshot-file.js';
import type { ContractRuns } from '../contract-runs.js';
import type { Views } from '../service/views.js';
import type { SendToSelf } from './replay.js';

/** Dependencies of the handlers of the control API. */
export interface HandlerDependencies {
  /** Renders records as JSON, and builds their URLs. */
  readonly views: Views;
  /**
   * Given the URL of a `billing-sim listen` that has stopped, returns the URL that this listener had replaced; null if
   * there was none. Returns any other URL unchanged.
   */
  readonly resolveListenerUrl: (url: string | null) => Promise<string | null>;
  /** Checks the content of a snapshot file. @throws InputError */
  readonly readSnapshotFile: (content: object) => Promise<SnapshotFile>;
  readonly sendToSelf: SendToSelf;
}

/** Options and dependencies of the control API and of the dashboard, which calls its handlers. */
export interface ControlOptions extends HandlerDependencies {
  /** The bearer token that requests to the control API must carry; undefined if none is required. */
  readonly controlToken: string | undefined;
  /** Real time at which the simulator started. */
  readonly startedAt: string;
  /** The URL at which browsers reach the simulator behind a reverse proxy. */
  readonly publicUrl?: URL | undefined;
  /** Runs the contract suite in the background, for the Contract page of the dashboard. */
  readonly contractRuns: ContractRuns;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}
