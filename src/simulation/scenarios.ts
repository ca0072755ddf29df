import { instant } from '../domain/dates.js';
import { Refusal } from '../domain/refusal.js';
import type { Account } from './account.js';
import { getDeposit } from './deposits.js';
import { getInvoice } from './invoices.js';
import { getPaymentLink } from './payment-links.js';
import type { Run, Scenario, ScenarioStep, ScenarioSubject } from './scenario.js';
import { newRun, scenariosOf } from './triggers.js';
import { verbs } from './verbs/index.js';

/** @throws Refusal scenario-unknown */
export function getScenario(account: Account, name: string): Scenario {
  const scenario = scenariosOf(account).find((candidate) => candidate.name === name);
  if (scenario) return scenario;
  const known = scenariosOf(account).map((candidate) => candidate.name);
  throw new Refusal('scenario-unknown', { hint: `there are ${known.join(', ')}` });
}

/** Makes sure that there is such a record. */
const find: Record<ScenarioSubject, (account: Account, id: number | string) => unknown> = {
  deposit: getDeposit,
  invoice: getInvoice,
  payment_link: getPaymentLink,
};

/** Plays a scenario on the record of an id, from now on. @throws Refusal scenario-unknown, and that of an unknown record */
export function startScenario(account: Account, name: string, id: number | string): Run {
  const scenario = getScenario(account, name);
  find[scenario.for](account, id);
  const run = newRun(account, scenario, { resource: scenario.for, id }, account.runs.nextId());
  account.commit({ runs: [run] });
  return run;
}

/** @throws Refusal run-unknown, run-over */
export function cancelRun(account: Account, id: number | string): Run {
  const run = account.runs.get(id);
  if (!run) throw new Refusal('run-unknown');
  if (run.status !== 'running') throw new Refusal('run-over', { hint: `it is ${run.status}` });
  const cancelled: Run = { ...run, status: 'cancelled', due_at: null };
  account.commit({ runs: [cancelled] });
  return cancelled;
}

/** Plays the step that is due of a run. A step that the record's state has no way for stops the run. */
export function playNextStep(account: Account, run: Run): void {
  const step = run.steps[run.played];
  if (!step) return;
  const reason = play(account, run, step);
  const played = run.played + 1;
  const next = reason === null ? run.steps[played] : undefined;
  account.commit({
    runs: [
      {
        ...run,
        played: reason === null ? played : run.played,
        reason,
        status: reason !== null ? 'stopped' : next ? 'running' : 'done',
        due_at: next ? instant(account.now() + next.after) : null,
      },
    ],
  });
}

/** @returns why the step could not be played, or null */
function play(account: Account, run: Run, step: ScenarioStep): string | null {
  const { resource, id } = run.subject;
  const act = resource === 'payment' ? undefined : verbs.get(step.do)?.on[resource];
  if (!act) return `${step.do} cannot be done to a ${resource}`;
  account.playing = run;
  try {
    act(account, id, step.with, step);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return `${step.do}: ${error.hint ?? error.code}`;
  } finally {
    account.playing = undefined;
  }
}
