export type { Durability } from '../app/server.js';
export type { AdvanceReport, Step } from '../domain/advance-report.js';
export type { Effect, EffectName, FaultMatcher } from '../domain/faults.js';
export type { Attempt, Customer, EventName, Scope, Subject } from '../domain/records.js';
export { type ErrorCode, type FieldViolation, ServiceError } from '../domain/service-error.js';
export type { NewFault } from '../faults/rule.js';
export type { paths } from '../generated/billing-types.js';
export { UserError } from '../lib/user-error.js';
export type { Choices } from '../openapi/profile.js';
export type { CoverageReport } from '../simulation/coverage.js';
export type { ListedFault } from '../simulation/faults/faults.js';
export type { NewCustomer } from '../simulation/operations/customers.js';
export type { PaymentInput } from '../simulation/operations/payments.js';
export type { SnapshotFile } from '../simulation/state/snapshot-file.js';
export type { AccountTokens } from '../simulation/tokens.js';
export type {
  ActivityChain,
  AgendaItem,
  Faults,
  LoggedRequest,
  Mail,
  RequestDetails,
  ScenarioRun,
  SimulatorAccount,
  Trace,
} from './account.js';
export type { AdvanceOptions, Clock } from './clock.js';
export { type BillingSimConfig, defineConfig } from './config.js';
export type {
  NewSeed,
  SeedCapture,
  SeedCustomer,
  SeedDeposit,
  SeedInvoice,
  SeedInvoiceItem,
  SeedPayment,
  SeedPaymentLink,
} from './new-seed.js';
export type { Customers, Deposits, Invoices, PaymentLinks, Payments, ServiceRecord } from './records.js';
export type { Scenario, ScenarioStep } from './scenario.js';
export type {
  Capture,
  Deposit,
  DepositEvent,
  ErrorResponse,
  Invoice,
  InvoiceDetail,
  InvoiceItem,
  InvoiceStats,
  NewDeposit,
  NewInvoice,
  NewPaymentLink,
  OverdueInvoice,
  Payment,
  PaymentEvent,
  PaymentLink,
  PaymentLinkRow,
  WebhookPayload,
} from './service-types.js';
export type { AccountSettings, Settings, SettingsOptions } from './settings.js';
export { type AccountOptions, type Simulator, type SimulatorOptions, startSimulator } from './simulator.js';
export type { NextOptions, WaitOptions, Webhook, Webhooks } from './webhooks.js';
