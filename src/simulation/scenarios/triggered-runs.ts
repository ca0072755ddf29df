import { formatInstant } from '../../domain/dates.js';
import type { DomainEvent } from '../../domain/domain-event.js';
import { matchesWildcard } from '../../domain/matches-wildcard.js';
import type { Deposit, Subject } from '../../domain/records.js';
import type { Run, Scenario, ScenarioSubject } from '../../domain/scenario.js';
import { memberOf } from '../../lib/json.js';
import type { AccountState } from '../state/account-state.js';

/**
 * Maximum number of times in a row that a step of a run may cause the event that starts the next run. More are treated
 * as an infinite loop.
 */
const maxDepth = 10;

/** Scenarios of an account: those added to it, and the built-in ones that they do not override by name. */
export function scenariosOf(account: AccountState): readonly Scenario[] {
  if (account.scenarios.size === 0) return account.ports.scenarios;
  const builtIn = account.ports.scenarios.filter(({ name }) => !account.scenarios.has(name));
  return [...builtIn, ...account.scenarios.values()];
}

/**
 * Builds the runs that an event starts: of scenarios whose trigger matches, and of the scenario that a new deposit
 * names in its metadata.
 */
export function triggeredRuns(account: AccountState, event: DomainEvent): Run[] {
  const requestedName = event.event === 'deposit.created' ? scenarioNamedBy(event.record) : undefined;
  const shouldStart = (scenario: Scenario): boolean => scenario.name === requestedName || matches(scenario, event);
  const runs: Run[] = [];
  for (const scenario of scenariosOf(account)) {
    if (!shouldStart(scenario)) continue;
    const subject = subjectOf(scenario.for, event);
    if (subject) runs.push(newRun(account, scenario, subject, account.runs.nextId() + runs.length));
  }
  return runs;
}

/** Name of the scenario that the metadata of a deposit requests. The scenario may not exist. */
export function scenarioNamedBy({ metadata }: Pick<Deposit, 'metadata'>): string | undefined {
  const name = Object.hasOwn(metadata, 'scenario') ? metadata['scenario'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** Builds a run of a scenario, without storing it. */
export function newRun(account: AccountState, scenario: Scenario, subject: Subject, id: number): Run {
  const depth = account.currentRun ? account.currentRun.depth + 1 : 0;
  const isTooDeep = depth > maxDepth;
  const [first] = scenario.steps;
  return {
    id,
    scenario: scenario.name,
    subject,
    steps: scenario.steps,
    status: isTooDeep ? 'stopped' : 'running',
    reason: isTooDeep ? `scenarios started each other ${maxDepth} times in a row: stopped as an infinite loop` : null,
    completed_steps: 0,
    due_at: isTooDeep || !first ? null : formatInstant(account.now() + first.after),
    depth,
    started_at: formatInstant(account.now()),
  };
}

function matches({ trigger }: Scenario, { event, record }: DomainEvent): boolean {
  if (trigger?.event !== event) return false;
  const { booking_reference, description, metadata = {} } = trigger.match ?? {};
  const fields = { booking_reference: '', description: '', metadata: {}, ...record };
  if (booking_reference !== undefined && !matchesWildcard(booking_reference, fields.booking_reference)) return false;
  if (description !== undefined && !matchesWildcard(description, fields.description)) return false;
  return Object.entries(metadata).every(
    ([key, pattern]) => Object.hasOwn(fields.metadata, key) && matchesWildcard(pattern, memberOf(fields.metadata, key)),
  );
}

/** Record of the given kind that an event is about; undefined if there is none. */
function subjectOf(resource: ScenarioSubject, { event, record }: DomainEvent): Subject | undefined {
  if (event === 'payment.succeeded') {
    const id = resource === 'invoice' ? record.invoice_id : record.payment_link_id;
    return id === null || resource === 'deposit' ? undefined : { resource, id };
  }
  // Names of events begin with the kind of their record.
  return event.startsWith(`${resource}.`) ? { resource, id: record.id } : undefined;
}
