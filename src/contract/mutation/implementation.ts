import type { Driver } from '../drivers/driver.js';
import type { TargetOptions } from '../engine/target.js';

/**
 * The implementation under test: how to reach it, and a driver for actions that its API does not offer. Closing the
 * driver also closes the implementation.
 */
export interface Implementation {
  /** Base URL including the version prefix. */
  readonly baseUrl: string;
  readonly tokens: TargetOptions['tokens'];
  readonly driver: Driver;
}
