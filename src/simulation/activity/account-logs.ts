import { Coverage } from '../coverage.js';
import { ActivityLog } from './activity-log.js';
import { type BodyRing, RequestLog } from './request-log.js';

/** Logs and coverage of an account, in memory. Resets and restores keep them. */
export interface AccountLogs {
  readonly requests: RequestLog;
  readonly activity: ActivityLog;
  /** Bodies of requests and responses; all accounts share this ring. */
  readonly bodies: BodyRing;
  coverage: Coverage;
}

export function createLogs(bodies: BodyRing): AccountLogs {
  return { requests: new RequestLog(), activity: new ActivityLog(), bodies, coverage: new Coverage() };
}
