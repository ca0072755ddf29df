import type { PublicUrl } from '../middleware/origins.js';
import type { Views } from '../service/views.js';
import type { Forms } from './forms.js';

export interface ControlOptions {
  readonly views: Views;
  /** What requests to the control API must carry as a bearer token. */
  readonly controlToken: string | undefined;
  /** Where browsers reach the simulator, if a reverse proxy stands before it. */
  readonly publicUrl?: PublicUrl | undefined;
  readonly forms: Forms;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}
