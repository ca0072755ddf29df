import type { Driver } from '../drivers/driver.js';
import type { TargetOptions } from '../engine/target.js';

/** A target that the suite is run against, and all that there is to bring about on it. Closed by its driver. */
export interface Subject {
  /** Ends with the version prefix. */
  readonly baseUrl: string;
  readonly tokens: TargetOptions['tokens'];
  readonly driver: Driver;
}
