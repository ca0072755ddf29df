export type { Driver, DriverFactory, DriverOptions, TargetRecord } from './driver.js';
export type { ContractOptions } from './open-session.js';
export { contractSuite } from './suite.js';
