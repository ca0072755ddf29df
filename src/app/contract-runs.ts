import { CannotRun } from '../contract/engine/cannot-run.js';
import type { FileDriverOptions } from '../contract/engine/open-session.js';
import type { RunReport } from '../contract/report/run-report.js';
import { invalidField } from '../domain/service-error.js';
import { demo } from '../generated/seed-demo.js';
import type { ContractRun, ContractRuns, ContractTarget } from '../http/contract-runs.js';
import { errorMessage } from '../lib/errors.js';
import { parseUrl } from '../lib/parse-url.js';
import { UserError } from '../lib/user-error.js';
import type { Account, AccountLogs } from '../simulation/account.js';
import type { World } from '../simulation/world.js';

export interface ContractRunsOptions {
  readonly world: World;
  /** URL that the server listens on, without a path. */
  readonly ownUrl: () => string;
  readonly controlToken: string | undefined;
  /** Aborts when the server stops, which stops all runs. */
  readonly stopping: AbortSignal;
  /** Receives each error that is not a UserError. Such errors are bugs. */
  readonly onFailure: (error: unknown) => void;
}

/** State of a run that is in progress or has ended. */
interface RunState extends Pick<ContractRun, 'target' | 'startedAt' | 'clauseCount'> {
  status: ContractRun['status'];
  requestCount: number;
  /** Returns the report on the clauses that were checked so far; undefined before the first one. */
  report: () => RunReport | undefined;
  /** Explains how the run ended; empty while it is in progress. */
  outcome: string;
  readonly stopController: AbortController;
}

/** Loads the contract suite on first use, so that it does not slow down the start of the simulator. */
async function loadSuite() {
  const [{ runContract }, { selectClauses }, { createTarget }, { explainExitCode }] = await Promise.all([
    import('../contract/engine/run-contract.js'),
    import('../contract/engine/select.js'),
    import('../contract/engine/open-session.js'),
    import('../contract/report/report.js'),
  ]);
  return { runContract, selectClauses, createTarget, explainExitCode };
}

type Suite = Awaited<ReturnType<typeof loadSuite>>;

/** Starts the contract runs of a server, and keeps track of them. */
export class BackgroundContractRuns implements ContractRuns {
  readonly #options: ContractRunsOptions;
  /** The last run of each account, keyed by its logs, because a reset replaces the account but keeps its logs. */
  readonly #lastRuns = new WeakMap<AccountLogs, RunState>();
  /** A promise for each run in progress, even if its account was removed. */
  readonly #runsInProgress = new Set<Promise<void>>();

  constructor(options: ContractRunsOptions) {
    this.#options = options;
  }

  last({ logs }: Account): ContractRun | undefined {
    const run = this.#lastRuns.get(logs);
    if (!run) return undefined;
    const { target, status, startedAt, clauseCount, requestCount, outcome } = run;
    return { target, status, startedAt, clauseCount, requestCount, outcome, checked: run.report()?.clauses ?? [] };
  }

  start(account: Account, { baseUrl, token, only, mayChangeRemoteRecords }: ContractTarget): Promise<void> {
    const { ownUrl, controlToken } = this.#options;
    return this.#startRun(account, {
      baseUrl,
      token,
      // By default, the suite writes only to services on this machine, and only reads from others.
      ...(mayChangeRemoteRecords ? { write: true } : {}),
      ...(only.length === 0 ? {} : { only }),
      // No service but this simulator may see the control token.
      ...(isThisServer(baseUrl, ownUrl()) ? { controlToken } : {}),
    });
  }

  async startOnSimulator(account: Account, only: readonly string[]): Promise<void> {
    const { ownUrl, controlToken, world } = this.#options;
    // Runs on a temporary account with the demo records. The tokens of the seed may be in use by another account, and
    // tokens must be unique, so this account gets new ones.
    const { tokens: _fixedTokens, ...seed } = demo;
    const { account: temporaryAccount, tokens } = world.accounts.create({
      id: world.accounts.freeId(),
      seed,
      choices: account.record.profile,
      // A run that a crash interrupts cannot remove it.
      isTemporary: true,
    });
    const removeTemporaryAccount = (): void => {
      // The user may have reset or removed the account meanwhile.
      const current = world.accounts.get(temporaryAccount.id);
      if (current) world.accounts.remove(current);
    };
    const runOptions = {
      baseUrl: `${ownUrl()}/api/v1`,
      token: tokens.full,
      readToken: tokens.read,
      writeToken: tokens.write,
      // The records are those of the temporary account, even if the address of this server is not a loopback address.
      write: true,
      controlToken,
      ...(only.length === 0 ? {} : { only }),
    };
    try {
      await this.#startRun(account, runOptions, removeTemporaryAccount);
    } catch (error) {
      removeTemporaryAccount();
      throw error;
    }
  }

  stop({ logs }: Account): void {
    this.#lastRuns.get(logs)?.stopController.abort();
  }

  async report({ logs }: Account): Promise<string | undefined> {
    const report = this.#lastRuns.get(logs)?.report();
    if (!report) return undefined;
    const { htmlReport } = await import('../contract/report/html.js');
    return htmlReport(report);
  }

  /** Resolves once all runs that are in progress have ended. */
  async whenIdle(): Promise<void> {
    await Promise.all(this.#runsInProgress);
  }

  /** Starts a run in the background. @param onEnd called when the run has ended; not called if it does not start */
  async #startRun(account: Account, runOptions: FileDriverOptions, onEnd?: () => void): Promise<void> {
    const suite = await loadSuite();
    // Called only to validate the target: `runContract` creates its own.
    validateField('base_url', () => suite.createTarget(runOptions));
    const clauseCount = validateField('only', () => suite.selectClauses(runOptions.only)).length;
    // Any field will do: while a run is in progress the page has no form, so the message appears at its top.
    if (this.#lastRuns.get(account.logs)?.status === 'running')
      throw invalidField('base_url', 'custom', { message: 'A run is in progress. Stop it first.' });
    const run: RunState = {
      target: runOptions.baseUrl,
      status: 'running',
      startedAt: new Date().toISOString(),
      clauseCount,
      requestCount: 0,
      report: () => undefined,
      outcome: '',
      stopController: new AbortController(),
    };
    this.#lastRuns.set(account.logs, run);
    const ended = this.#runSuite(suite, run, runOptions)
      .finally(onEnd)
      .catch(this.#options.onFailure)
      .finally(() => this.#runsInProgress.delete(ended));
    this.#runsInProgress.add(ended);
  }

  async #runSuite(suite: Suite, run: RunState, runOptions: FileDriverOptions): Promise<void> {
    const { stopping, onFailure } = this.#options;
    const { signal: stopped } = run.stopController;
    try {
      const report = await suite.runContract(runOptions, {
        onClause: ({ requestCount }, createReportSoFar) => {
          run.requestCount = requestCount;
          run.report = createReportSoFar;
        },
        signal: AbortSignal.any([stopped, stopping]),
      });
      run.report = () => report;
      run.requestCount = report.requests;
      run.status = stopped.aborted && !report.complete ? 'stopped' : 'finished';
      // The last problem of a stopped run says after how many clauses it was interrupted.
      run.outcome = run.status === 'stopped' ? (report.problems.at(-1) ?? '') : suite.explainExitCode(report);
    } catch (error) {
      run.status = stopped.aborted ? 'stopped' : 'failed';
      run.outcome = messageOf(error);
      if (!(error instanceof UserError)) onFailure(error);
    }
  }
}

/** Calls a function, and turns its UserError into a validation error for a field. @throws ServiceError invalid */
function validateField<Value>(field: string, call: () => Value): Value {
  try {
    return call();
  } catch (error) {
    if (error instanceof UserError) throw invalidField(field, 'custom', { message: messageOf(error) });
    throw error;
  }
}

/** The message of an error, minus any advice about the command line, since the run was started in the dashboard. */
function messageOf(error: unknown): string {
  return error instanceof CannotRun ? error.problem : errorMessage(error);
}

function isThisServer(baseUrl: string, ownUrl: string): boolean {
  return parseUrl(baseUrl)?.origin === new URL(ownUrl).origin;
}
