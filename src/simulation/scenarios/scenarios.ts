import { formatInstant } from '../../domain/dates.js';
import { depositLifecycle } from '../../domain/deposit-lifecycle.js';
import { invoiceLifecycle } from '../../domain/invoice-lifecycle.js';
import { allowedCauses } from '../../domain/lifecycle.js';
import {
  type Deposit,
  depositStatuses,
  type Invoice,
  invoiceStatuses,
  type PaymentLink,
  type Subject,
} from '../../domain/records.js';
import type { Run, Scenario, ScenarioStep, ScenarioSubject, VerbName } from '../../domain/scenario.js';
import { requireFound, ServiceError } from '../../domain/service-error.js';
import { getDeposit } from '../operations/deposits.js';
import { getInvoice } from '../operations/invoices.js';
import { getPaymentLink } from '../operations/payment-links.js';
import type { AccountState } from '../state/account-state.js';
import { newestFirst } from '../state/newest-first.js';
import type { WritableAccount } from '../transaction.js';
import { newRun, scenariosOf } from './triggered-runs.js';
import { verbs } from './verbs.js';

/** @throws ServiceError scenario-not-found */
export function getScenario(account: AccountState, name: string): Scenario {
  const scenario = scenariosOf(account).find((candidate) => candidate.name === name);
  if (scenario) return scenario;
  const names = scenariosOf(account).map((candidate) => candidate.name);
  throw new ServiceError('scenario-not-found', { hint: `available: ${names.join(', ')}` });
}

/** For each kind of record, a function that throws if the record does not exist. */
const requireRecord: Record<ScenarioSubject, (account: AccountState, id: number | string) => unknown> = {
  deposit: getDeposit,
  invoice: getInvoice,
  payment_link: getPaymentLink,
};

/** Ids of the records on which the first step of a scenario is possible, newest first. */
export function eligibleIds(account: AccountState, scenario: Scenario): Subject['id'][] {
  // A `fault` step is possible on every record, so the first step with another verb decides.
  const verb = scenario.steps.find(({ do: name }) => name !== 'fault')?.do;
  const rows = recordsAllowing[scenario.for](account, verb);
  return newestFirst(rows, ({ created_at }) => created_at).map(({ id }) => id);
}

type Candidate = Pick<Deposit | Invoice | PaymentLink, 'id' | 'created_at'>;

/** For each kind of record, lists the records that a verb can change now; without a verb, all of them. */
const recordsAllowing: Record<
  ScenarioSubject,
  (account: AccountState, verb: VerbName | undefined) => readonly Candidate[]
> = {
  deposit({ deposits, profile }, verb) {
    const statuses = depositStatuses.filter((status) => allows(allowedCauses(depositLifecycle, status, profile), verb));
    return deposits.rows.filter(({ status }) => statuses.includes(status));
  },
  invoice({ invoices, profile }, verb) {
    // Even a failed payment requires an invoice that can be paid.
    const cause = verb === 'fail' ? 'pay' : verb;
    const statuses = invoiceStatuses.filter((status) =>
      allows(allowedCauses(invoiceLifecycle, status, profile), cause),
    );
    return invoices.rows.filter(({ status }) => statuses.includes(status));
  },
  payment_link: ({ paymentLinks }, verb) =>
    paymentLinks.rows.filter(({ is_active }) => is_active || verb === undefined),
};

function allows(causes: readonly string[], verb: VerbName | undefined): boolean {
  return verb === undefined || causes.includes(verb);
}

/**
 * Starts a scenario on a record.
 * @throws ServiceError scenario-not-found; if the record does not exist, deposit-not-found, invoice-not-found or
 * payment-link-not-found
 */
export function startScenario(account: WritableAccount, name: string, id: number | string): Run {
  const scenario = getScenario(account, name);
  requireRecord[scenario.for](account, id);
  const run = newRun(account, scenario, { resource: scenario.for, id }, account.runs.nextId());
  account.transaction((tx) => tx.put({ runs: [run] }));
  return run;
}

/**
 * Deletes a scenario that was added to an account. A built-in scenario with the same name applies again.
 * @throws ServiceError scenario-not-found, scenario-built-in
 */
export function deleteScenario(account: WritableAccount, name: string): void {
  const scenario = getScenario(account, name);
  if (!account.scenarios.has(name))
    throw new ServiceError('scenario-built-in', {
      hint: 'only scenarios that were added to the account can be deleted',
    });
  // A transaction cannot delete rows, so a row without steps marks the scenario as deleted.
  account.transaction((tx) => tx.put({ scenarios: [{ ...scenario, steps: [] }] }));
}

/** @throws ServiceError run-not-found */
export function getRun(account: AccountState, id: number | string): Run {
  return requireFound(account.runs.get(id), 'run-not-found');
}

/** @throws ServiceError run-not-found, run-ended */
export function cancelRun(account: WritableAccount, id: number | string): Run {
  const run = getRun(account, id);
  if (run.status !== 'running') throw new ServiceError('run-ended', { hint: `its status is ${run.status}` });
  const cancelled: Run = { ...run, status: 'cancelled', due_at: null };
  account.transaction((tx) => tx.put({ runs: [cancelled] }));
  return cancelled;
}

/**
 * Runs the due step of a run, and then the steps without a delay that follow it. If a step fails, for example because
 * of the status of the record, the run stops.
 */
export function runDueSteps(account: WritableAccount, run: Run): void {
  const dueStep = run.steps[run.completed_steps];
  if (!dueStep) return;
  const completedSteps = run.completed_steps + 1;
  const followingStep = run.steps[completedSteps];
  const runAfterStep: Run = {
    ...run,
    completed_steps: completedSteps,
    status: followingStep ? 'running' : 'done',
    due_at: followingStep ? formatInstant(account.now() + followingStep.after) : null,
  };
  const reason = runStep(account, run, dueStep, runAfterStep);
  if (reason !== null) {
    account.transaction((tx) => tx.put({ runs: [{ ...run, reason, status: 'stopped', due_at: null }] }));
    return;
  }
  // A step without a delay is due at the time of the step before it. The agenda plans a run again only if its due time
  // changes, so it would not run such a step.
  if (followingStep?.after === 0) runDueSteps(account, runAfterStep);
}

/**
 * Runs a step, and stores the run as it is after the step in the same commit: after a crash, a step is neither repeated
 * nor skipped.
 * @returns reason why the step failed; null if it succeeded
 */
function runStep(account: WritableAccount, run: Run, step: ScenarioStep, runAfterStep: Run): string | null {
  const { resource, id } = run.subject;
  const action = resource === 'payment' ? undefined : verbs[step.do][resource];
  if (!action) return `${step.do} is not possible on a ${resource}`;
  account.currentRun = run;
  try {
    account.transaction((tx) => {
      action(account, id, step);
      tx.put({ runs: [runAfterStep] });
    });
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `${step.do}: ${error.hint ?? describeViolation(error)}`;
  } finally {
    account.currentRun = undefined;
  }
}

/** Names the first invalid field of an error and the rule that it breaks: `invalid amount (x-decimal-places)`. */
function describeViolation({ code, violations: [first] = [] }: ServiceError): string {
  return first ? `${code} ${first.path.join('.')} (${first.rule})` : code;
}
