// The public API of `billing-sim/contract`.
export type { Driver, DriverCustomer, DriverFactory, DriverOptions, TargetRecord } from './drivers/driver.js';
export type { ContractOptions } from './engine/open-session.js';
export type { ClauseReport, Evidence, ReceivedWebhook } from './report/clause-report.js';
export { type Clauses, type ClausesOptions, clauses, type TestClause } from './runners/clauses.js';
export { contractSuite } from './runners/contract-suite.js';
