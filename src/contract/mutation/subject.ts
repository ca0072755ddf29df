import type { Driver } from '../drivers/driver.js';
import type { TargetOptions } from '../engine/target.js';

/** A target of the suite with its driver. Closing the driver also closes the target. */
export interface Subject {
  /** Base URL including the version prefix. */
  readonly baseUrl: string;
  readonly tokens: TargetOptions['tokens'];
  readonly driver: Driver;
}
