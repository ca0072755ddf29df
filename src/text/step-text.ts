import type { Step } from '../domain/advance-report.js';
import { isForged } from '../domain/faults.js';
import type { Attempt } from '../domain/records.js';
import { isDelivered } from '../domain/retries.js';
import { formatCount, formatTime, subjectName } from './format.js';

/** Describes a step of an advance report in two parts: what it is about, and its outcome. */
export function formatStep(step: Step): [about: string, outcome: string] {
  switch (step.kind) {
    case 'transition':
      return [subjectName(step.subject), `${step.from} → ${step.to} (${step.cause})`];
    case 'event':
      return [
        `${step.event} ${step.id}`,
        `for ${subjectName(step.subject)}${step.sent ? '' : ', not sent: no webhook URL was set'}`,
      ];
    case 'attempt':
      return [`${step.event} ${step.delivery_id}`, `→ ${formatAttempt(step)}`];
    case 'mail':
      // Here, `subject` is the subject line of the email; in the other steps, it is the record that they are about.
      return [
        `email ${step.id} to ${step.to}`,
        step.error === null ? step.subject : `${step.subject}: not sent, ${step.error}`,
      ];
    case 'scenario':
      // `completed_steps` counts steps of the scenario, not of the advance report.
      return [
        `scenario ${step.scenario}, run ${step.id}`,
        `${step.status} on ${subjectName(step.subject)} after ${formatCount(step.completed_steps, 'step')}${step.reason === null ? '' : `: ${step.reason}`}`,
      ];
  }
}

/**
 * Describes an attempt: `200 on attempt 1`, `401 on attempt 2 (tamper-body)`, `connection refused on attempt 2, retry
 * at 2026-03-09 09:00:05`.
 */
export function formatAttempt(
  attempt: Pick<Attempt, 'status' | 'error' | 'number' | 'next_attempt_at' | 'applied_faults'>,
): string {
  const { status, error, number, next_attempt_at, applied_faults = [] } = attempt;
  const outcome = `${status ?? error} on attempt ${number}${applied_faults.length === 0 ? '' : ` (${applied_faults.join(', ')})`}`;
  if (next_attempt_at !== null) return `${outcome}, retry at ${formatTime(next_attempt_at)}`;
  return isFailedAttempt(attempt) ? `${outcome}, no retry` : outcome;
}

/**
 * Returns true if an attempt failed. An attempt with a forged message never counts as failed, since receivers should
 * reject it.
 */
function isFailedAttempt({ status, applied_faults }: Pick<Attempt, 'status' | 'applied_faults'>): boolean {
  return !isDelivered(status) && !isForged(applied_faults);
}

/** Returns true if an attempt shows a problem: it failed, or the receiver accepted a forged message. */
export function isProblematicAttempt(attempt: Pick<Attempt, 'status' | 'applied_faults'>): boolean {
  return isFailedAttempt(attempt) || (isDelivered(attempt.status) && isForged(attempt.applied_faults));
}

/**
 * Counts the steps of an advance report by kind, except scenario steps:
 * `2 transitions, 1 event, 3 attempts (1 failed), 0 emails`.
 */
export function summarizeSteps(steps: readonly Step[]): string {
  const count = (kind: Step['kind']): number => steps.filter((step) => step.kind === kind).length;
  const failed = steps.filter((step) => step.kind === 'attempt' && isFailedAttempt(step)).length;
  return [
    formatCount(count('transition'), 'transition'),
    formatCount(count('event'), 'event'),
    formatCount(count('attempt'), 'attempt') + (failed === 0 ? '' : ` (${failed} failed)`),
    // Several attempts to send an email count as one.
    formatCount(new Set(steps.flatMap((step) => (step.kind === 'mail' ? [step.id] : []))).size, 'email'),
  ].join(', ');
}
