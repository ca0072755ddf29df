import { instant } from '../domain/dates.js';
import type { Subject } from '../domain/records.js';
import { Refusal } from '../domain/refusal.js';
import type { Account } from './account.js';
import type { Happening } from './events.js';
import type { Run, Scenario, ScenarioSubject } from './scenario.js';
import { verbs } from './verbs/index.js';

/** How many runs may start each other in a row before that is taken for a circle. */
const deepest = 10;

/** The scenarios that an account has: those of everybody, and its own, which stand before those of their name. */
export function scenariosOf(account: Account): Scenario[] {
  const shared = account.ports.scenarios.filter(({ name }) => !account.scenarios.has(name));
  return [...shared, ...account.scenarios.values()];
}

/** @throws Refusal scenario-unknown */
export function getScenario(account: Account, name: string): Scenario {
  const scenario = scenariosOf(account).find((candidate) => candidate.name === name);
  if (scenario) return scenario;
  const known = scenariosOf(account).map((candidate) => candidate.name);
  throw new Refusal('scenario-unknown', { hint: `there are ${known.join(', ')}` });
}

/** Plays a scenario on a record, from now on. @throws Refusal scenario-unknown */
export function startScenario(account: Account, name: string, subject: Subject): Run {
  const scenario = getScenario(account, name);
  const run = newRun(account, scenario, subject, account.runs.nextId());
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

/** The runs that happenings start: of scenarios whose trigger they match, and of one that a new deposit asks for by name. */
export function triggeredRuns(account: Account, happenings: readonly Happening[]): Run[] {
  const runs: Run[] = [];
  for (const happening of happenings) {
    const asked = askedFor(happening);
    for (const scenario of scenariosOf(account)) {
      if (scenario.name !== asked && !matches(scenario, happening)) continue;
      const subject = subjectOf(scenario.for, happening);
      if (subject) runs.push(newRun(account, scenario, subject, account.runs.nextId() + runs.length));
    }
  }
  return runs;
}

/** The scenario that a new deposit names in its metadata, whether or not there is one. */
export function askedFor({ event, record }: Happening): string | undefined {
  if (event !== 'deposit.created') return undefined;
  const name = Object.hasOwn(record.metadata, 'scenario') ? record.metadata['scenario'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** Plays the step that is due of a run. A step that the record's state has no way for stops the run. */
export function playNextStep(account: Account, run: Run): void {
  const step = run.steps[run.played];
  if (!step) return;
  const reason = play(account, run, step.do, step.with);
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
function play(account: Account, run: Run, name: Run['steps'][number]['do'], given: Readonly<Record<string, unknown>>) {
  const { resource, id } = run.subject;
  const act = resource === 'payment' ? undefined : verbs.get(name)?.on[resource];
  if (!act) return `${name} cannot be done to a ${resource}`;
  account.playing = run;
  try {
    act(account, id, given);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return `${name}: ${error.hint ?? error.code}`;
  } finally {
    account.playing = undefined;
  }
}

function newRun(account: Account, scenario: Scenario, subject: Subject, id: number): Run {
  const depth = account.playing ? account.playing.depth + 1 : 0;
  const isCircle = depth > deepest;
  const [first] = scenario.steps;
  return {
    id,
    scenario: scenario.name,
    subject,
    steps: scenario.steps,
    status: isCircle ? 'stopped' : 'running',
    reason: isCircle ? `scenarios have started each other ${deepest} times over: they would never end` : null,
    played: 0,
    due_at: isCircle || !first ? null : instant(account.now() + first.after),
    depth,
    started_at: instant(account.now()),
  };
}

function matches({ trigger }: Scenario, { event, record }: Happening): boolean {
  if (trigger?.event !== event) return false;
  const { booking_reference, description, metadata = {} } = trigger.match ?? {};
  const own = { booking_reference: '', description: '', metadata: {}, ...record };
  if (booking_reference !== undefined && !like(booking_reference, own.booking_reference)) return false;
  if (description !== undefined && !like(description, own.description)) return false;
  return Object.entries(metadata).every(
    ([key, pattern]) => Object.hasOwn(own.metadata, key) && like(pattern, Reflect.get(own.metadata, key)),
  );
}

/** Whether a value is a text that a pattern matches, in which `*` stands for anything. */
function like(pattern: string, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(String(value));
}

/** What a scenario is played on when a happening starts it; undefined if there is no such record. */
function subjectOf(resource: ScenarioSubject, { event, record }: Happening): Subject | undefined {
  if (event === 'payment.succeeded') {
    const id = resource === 'invoice' ? record.invoice_id : record.payment_link_id;
    return id === null || resource === 'deposit' ? undefined : { resource, id };
  }
  if (event === 'invoice.created') return { resource: 'invoice', id: record.id };
  if (event === 'payment_link.created') return { resource: 'payment_link', id: record.id };
  return { resource: 'deposit', id: record.id };
}
