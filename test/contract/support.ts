import { driverOf } from '../../src/commands/contract/simulator-target.js';
import { checkClause, type Result, type Status } from '../../src/contract/engine/check-clauses.js';
import type { Clause } from '../../src/contract/engine/clause.js';
import type { PaceOption } from '../../src/contract/engine/pace.js';
import { Session, type SessionOptions } from '../../src/contract/engine/session.js';
import { Target } from '../../src/contract/engine/target.js';
import type { Implementation } from '../../src/contract/mutation/mutating-proxy.js';
import { type Choices, type Simulator, startSimulator } from '../../src/index.js';
import type { Options } from '../second-implementation/options.js';
import { startSecondImplementation } from '../second-implementation/server.js';

export type { Implementation } from '../../src/contract/mutation/mutating-proxy.js';

export interface RunOptions extends SessionOptions {
  /** False for a read-only run. */
  readonly mayWrite?: boolean;
  /** True if a violation of an inferred clause is a failure instead of a warning. */
  readonly strict?: boolean;
  readonly pace?: PaceOption;
  /** Called before the session is closed. */
  readonly onEnd?: (session: Session) => void;
}

/** Results of `checkClauses`. */
export interface Outcome {
  readonly results: readonly Result[];
  /** Number of requests that the suite sent to the implementation. */
  readonly requests: number;
  /** Returns the ids of the clauses that have one of these statuses. */
  idsWithStatus(...statuses: readonly Status[]): string[];
  /** Returns the result of one clause. Throws if it was not checked. */
  resultOf(id: string): Result;
}

/** Opens a session on an implementation, in which clauses can be checked. The caller closes it. */
export function openSession({ baseUrl, tokens, driver }: Implementation, options: RunOptions = {}): Session {
  const { mayWrite = true, strict: _strict, pace = 'off', onEnd: _onEnd, ...sessionOptions } = options;
  const target = new Target({
    baseUrl,
    tokens,
    timeoutMs: 10_000,
    pace,
    mayWrite,
    webhookSecret: sessionOptions.webhookSecret,
  });
  return new Session(target, driver, 'the driver', sessionOptions);
}

/** Checks clauses against an implementation, one after the other, in a new session. */
export async function checkClauses(
  implementation: Implementation,
  clauses: readonly Clause[],
  options: RunOptions = {},
): Promise<Outcome> {
  const session = openSession(implementation, options);
  const results: Result[] = [];
  try {
    for (const clause of clauses) results.push(await checkClause(session, clause, { strict: options.strict }));
    options.onEnd?.(session);
  } finally {
    await session.close();
  }
  return {
    results,
    requests: session.target.requestCount,
    idsWithStatus: (...statuses) =>
      results.filter(({ status }) => statuses.includes(status)).map(({ clause }) => clause.id),
    resultOf(id) {
      const result = results.find(({ clause }) => clause.id === id);
      if (!result) throw new Error(`${id} was not checked`);
      return result;
    },
  };
}

/**
 * Returns one line for each clause that has one of these statuses: its id, its status and the details. The status
 * `broken` means that the clause could not be checked, because the suite or the driver failed.
 */
export function describeResults({ results }: Outcome, ...statuses: readonly Status[]): string[] {
  return results
    .filter(({ status }) => statuses.includes(status))
    .map(({ clause, status, detail }) => `${clause.id} ${status}: ${detail}`);
}

let sharedSimulator: Promise<Simulator> | undefined;
let accountCount = 0;

/**
 * Opens a new account on a simulator that all tests of a file share.
 * @param now time at which the clock of the account is frozen; default: it runs, and shows the real time
 */
export async function openAccount(profile: Choices = {}, seed = 'empty', now?: string): Promise<Implementation> {
  sharedSimulator ??= startSimulator({ rateLimit: false, log: () => undefined });
  const { baseUrl, createAccount, account: demoAccount } = await sharedSimulator;
  accountCount += 1;
  const account = await createAccount({
    id: `suite-${accountCount}`,
    profile,
    seed,
    ...(now === undefined ? {} : { now }),
  });
  const otherAccount = demoAccount.tokens?.full;
  return { baseUrl, tokens: { ...account.tokens, otherAccount }, driver: driverOf(account) };
}

/**
 * Opens the demo account of a new simulator. The profile also applies to requests without a token, which belong to no
 * account.
 */
export async function openDemo(profile: Choices): Promise<Implementation & { readonly close: () => Promise<void> }> {
  const { baseUrl, account, close } = await startSimulator({ profile, log: () => undefined });
  const { tokens } = account;
  if (!tokens) throw new Error('the demo account has no tokens');
  return { baseUrl, tokens, driver: driverOf({ ...account, tokens }), close };
}

/** Stops the shared simulator. */
export async function closeSimulator(): Promise<void> {
  const simulator = await sharedSimulator;
  sharedSimulator = undefined;
  await simulator?.close();
}

/**
 * Starts the second implementation, which was written from the specification, independently of the simulator. Closing
 * the session stops it.
 */
export async function openSecondImplementation(options: Options = {}): Promise<Implementation> {
  const { baseUrl, tokens, close, settled: _settled, ...methods } = await startSecondImplementation(options);
  return { baseUrl, tokens, driver: { ...methods, close } };
}
