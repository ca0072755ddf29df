import type { Step } from '../../domain/advance-report.js';
import { formatInstant } from '../../domain/dates.js';
import type { Delivery, StatusChange, Subject } from '../../domain/records.js';
import type { AccountState } from '../state/account-state.js';
import type { RowsByTable } from '../state/changes.js';
import type { CommitObserver } from '../state/commit-observer.js';

/**
 * Creates an observer that calls `onStep` after each commit, with each step that the commit contains, such as a
 * transition.
 */
export function observeSteps(onStep: (step: Step) => void): CommitObserver {
  return {
    observe(changes, state) {
      const steps = stepsOf(changes, state, formatInstant(state.now()));
      return {
        committed() {
          for (const step of steps) onStep(step);
        },
      };
    },
  };
}

/** Lists what a commit does, as steps of an advance report. Call it before the commit is applied to the account. */
function stepsOf(changes: RowsByTable, account: AccountState, now: string): Step[] {
  const steps: Step[] = [];
  addTransitions(steps, 'invoice', changes.invoices, account.invoices);
  addTransitions(steps, 'payment', changes.payments, account.payments);
  addTransitions(steps, 'deposit', changes.deposits, account.deposits);
  for (const delivery of changes.deliveries ?? []) steps.push(eventStepOf(delivery));
  return [...steps, ...stepsOfAttemptsMailsAndRuns(changes, account, now)];
}

/** Converts the delivery of an event to a step. */
export function eventStepOf({ id, event, subject, url, created_at }: Delivery): Step {
  return { at: created_at, kind: 'event', id, event, subject, sent: url !== null };
}

/** Lists the steps of a commit that are attempts, emails or scenario runs. */
export function stepsOfAttemptsMailsAndRuns(changes: RowsByTable, account: AccountState, now: string): Step[] {
  const steps: Step[] = [];
  for (const attempt of changes.attempts ?? []) {
    const event = account.deliveries.get(attempt.delivery_id)?.event;
    const { delivery_id, number, status, error, next_attempt_at, applied_faults = [] } = attempt;
    if (event) {
      const result = { number, status, error, next_attempt_at, applied_faults };
      steps.push({ at: attempt.at, kind: 'attempt', event, delivery_id, ...result });
    }
  }
  for (const { id, to, subject, attempts } of changes.mails ?? []) {
    steps.push({ at: now, kind: 'mail', id, to, subject, error: attempts.at(-1)?.error ?? null });
  }
  for (const { id, scenario, subject, status, completed_steps, reason } of changes.runs ?? []) {
    steps.push({ at: now, kind: 'scenario', id, scenario, subject, status, completed_steps, reason });
  }
  return steps;
}

type WithHistory = { readonly id: number | string; readonly history: readonly StatusChange<string>[] };

/** Adds a step for each transition by which the commit extends the history of a row. */
function addTransitions(
  steps: Step[],
  resource: Subject['resource'],
  rows: readonly WithHistory[] | undefined,
  current: { get(id: number | string): WithHistory | undefined },
): void {
  if (!rows) return;
  for (const { id, history } of rows) {
    for (let index = current.get(id)?.history.length ?? 0; index < history.length; index++) {
      const change = history[index];
      if (change) steps.push(transitionOf({ resource, id }, change));
    }
  }
}

/** Converts an entry of a record's history to a step. */
export function transitionOf(subject: Subject, { at, cause, from, to }: StatusChange<string>): Step {
  return { at, kind: 'transition', subject, cause, from, to };
}
