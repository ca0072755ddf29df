import type { ContractRuns } from '../contract-runs.js';
import type { PublicUrl } from '../middleware/origins.js';
import type { Views } from '../service/views.js';
import type { PayloadParsers } from './payload-parsers.js';
import type { SendToSelf } from './replay.js';

export interface ControlOptions {
  readonly views: Views;
  /** The bearer token that requests to the control API must carry. */
  readonly controlToken: string | undefined;
  /** The URL at which browsers reach the simulator behind a reverse proxy. */
  readonly publicUrl?: PublicUrl | undefined;
  readonly payloadParsers: PayloadParsers;
  readonly sendToSelf: SendToSelf;
  readonly contractRuns: ContractRuns;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}
