import { driverOf } from '../../src/commands/contract/proof-subjects.js';
import type { Clause } from '../../src/contract/engine/clause.js';
import type { PaceOption } from '../../src/contract/engine/pace.js';
import { checkClause, type Result, type Status } from '../../src/contract/engine/run.js';
import { Session, type SessionOptions } from '../../src/contract/engine/session.js';
import { Target } from '../../src/contract/engine/target.js';
import type { Subject } from '../../src/contract/mutation/subject.js';
import { type Choices, type Simulator, startSimulator } from '../../src/index.js';
import type { Options } from '../second/options.js';
import { startSecond } from '../second/second.js';

export type { Subject } from '../../src/contract/mutation/subject.js';

export interface RunOptions extends SessionOptions {
  /** False for a target that is only read. */
  readonly mayWrite?: boolean;
  readonly strict?: boolean;
  readonly pace?: PaceOption;
  /** Looks at the session before it is closed. */
  readonly onEnd?: (session: Session) => void;
}

/** Outcome of a run. */
export interface Outcome {
  readonly results: readonly Result[];
  readonly requests: number;
  /** The ids of the clauses that came to this. */
  ids(...statuses: readonly Status[]): string[];
  /** The result of one clause. */
  of(id: string): Result;
}

/** Opens a session on a subject; whoever opens it closes it. */
export function openSession({ baseUrl, tokens, driver }: Subject, options: RunOptions = {}): Session {
  const { mayWrite = true, strict: _strict, pace = 'off', onEnd: _onEnd, ...own } = options;
  const target = new Target({
    baseUrl,
    tokens,
    timeout: 10_000,
    pace,
    mayWrite,
    webhookSecret: own.webhookSecret,
  });
  return new Session(target, driver, 'the driver', own);
}

/** Checks clauses against a subject, one after the other, in a session of their own. */
export async function check(subject: Subject, clauses: readonly Clause[], options: RunOptions = {}): Promise<Outcome> {
  const session = openSession(subject, options);
  const results: Result[] = [];
  try {
    for (const clause of clauses) results.push(await checkClause(session, clause, options.strict ?? false));
    options.onEnd?.(session);
  } finally {
    await session.close();
  }
  return {
    results,
    requests: session.target.requests,
    ids: (...statuses) => results.filter(({ status }) => statuses.includes(status)).map(({ clause }) => clause.id),
    of(id) {
      const found = results.find(({ clause }) => clause.id === id);
      if (!found) throw new Error(`${id} was not checked`);
      return found;
    },
  };
}

/** Lists failures, one line for each clause, for an assertion message. */
export function complaints({ results }: Outcome, ...statuses: readonly Status[]): string[] {
  return results
    .filter(({ status }) => statuses.includes(status))
    .map(({ clause, status, detail }) => `${clause.id} ${status}: ${detail}`);
}

let shared: Promise<Simulator> | undefined;
let accounts = 0;

/** An account of its own on a simulator that all tests of a file share. */
export async function openSimulator(profile: Choices = {}, seed = 'empty'): Promise<Subject> {
  shared ??= startSimulator({ rateLimit: false, log: () => undefined });
  const { baseUrl, createAccount } = await shared;
  accounts += 1;
  const account = await createAccount({ id: `suite-${accounts}`, profile, seed });
  return { baseUrl, tokens: account.tokens, driver: driverOf(account) };
}

/** The demo account of a simulator of its own: what answers those who have no account is as it has chosen. */
export async function openDemo(profile: Choices): Promise<Subject & { readonly close: () => Promise<void> }> {
  const { baseUrl, account, close } = await startSimulator({ profile, log: () => undefined });
  const { tokens } = account;
  if (!tokens) throw new Error('the tokens of the demo account are known');
  return { baseUrl, tokens, driver: driverOf({ ...account, tokens }), close };
}

/** Ends the simulator that was shared. */
export async function closeSimulator(): Promise<void> {
  const simulator = await shared;
  shared = undefined;
  await simulator?.close();
}

/** The second implementation, written independently from the specification; closed with the session. */
export async function openSecond(options: Options = {}): Promise<Subject> {
  const { baseUrl, tokens, close, settled: _settled, ...methods } = await startSecond(options);
  return { baseUrl, tokens: { ...tokens, scopeless: tokens.none }, driver: { ...methods, close } };
}
