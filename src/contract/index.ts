export type { Driver, DriverFactory, DriverOptions, TargetRecord } from './drivers/driver.js';
export type { ContractOptions } from './engine/open-session.js';
export { contractSuite } from './vitest/contract-suite.js';
