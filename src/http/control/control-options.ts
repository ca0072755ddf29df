import type { PublicUrl } from '../middleware/origins.js';
import type { Views } from '../service/views.js';
import type { PayloadParsers } from './payload-parsers.js';

export interface ControlOptions {
  readonly views: Views;
  /** The bearer token that requests to the control API must carry. */
  readonly controlToken: string | undefined;
  /** The URL at which browsers reach the simulator behind a reverse proxy. */
  readonly publicUrl?: PublicUrl | undefined;
  readonly payloadParsers: PayloadParsers;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}
