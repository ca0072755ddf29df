import type { CliOptions } from '../contract/engine/open-session.js';
import type { RunReport } from '../contract/report/run-report.js';
import { invalid } from '../domain/service-error.js';
import { demo } from '../generated/seed-demo.js';
import type { ContractRun, ContractRuns, ContractTarget } from '../http/contract-runs.js';
import { errorMessage } from '../lib/error-message.js';
import { parseUrl } from '../lib/parse-url.js';
import { UserError } from '../lib/user-error.js';
import type { Account } from '../simulation/account.js';
import type { World } from '../simulation/world.js';

export interface ContractRunsOptions {
  readonly world: World;
  /** URL that the server listens on, without a path. */
  readonly ownUrl: () => string;
  readonly controlToken: string | undefined;
  /** Aborts when the server stops, which stops all runs. */
  readonly stopping: AbortSignal;
  /** Receives errors that are bugs. */
  readonly onFailure: (error: unknown) => void;
}

/** Contract runs that a server can wait for when it stops. */
export interface AwaitableContractRuns extends ContractRuns {
  /** Resolves once no run is in progress. */
  whenIdle(): Promise<unknown>;
}

/** A run, while it is in progress and afterwards. */
interface RunState extends Pick<ContractRun, 'target' | 'startedAt' | 'clauseCount'> {
  status: ContractRun['status'];
  requestCount: number;
  /** Returns the report on the clauses that were checked so far; undefined before the first one. */
  report: () => RunReport | undefined;
  outcome: string;
  readonly stop: AbortController;
  ended: Promise<void>;
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

/** Creates the contract runs of a server. */
export function createContractRuns(options: ContractRunsOptions): AwaitableContractRuns {
  const { world, ownUrl, controlToken, stopping, onFailure } = options;
  const runs = new Map<string, RunState>();

  /** Starts a run in the background. @param onEnd called when the run has ended; not called if it does not start */
  const startRun = async (account: Account, target: CliOptions, onEnd: () => void): Promise<void> => {
    const { runContract, selectClauses, createTarget, explainExitCode } = await loadSuite();
    asFieldError('base_url', () => createTarget(target));
    const clauseCount = asFieldError('only', () => selectClauses(target.only)).length;
    if (runs.get(account.id)?.status === 'running')
      throw invalid('base_url', 'custom', { message: 'A run is in progress. Stop it first.' });
    for (const id of runs.keys()) if (!world.accounts.get(id)) runs.delete(id);
    const run: RunState = {
      target: target.baseUrl,
      status: 'running',
      startedAt: new Date().toISOString(),
      clauseCount,
      requestCount: 0,
      report: () => undefined,
      outcome: '',
      stop: new AbortController(),
      ended: Promise.resolve(),
    };
    runs.set(account.id, run);
    const runSuite = async (): Promise<void> => {
      try {
        const report = await runContract(target, {
          onClause: ({ requests }, soFar) => {
            run.requestCount = requests;
            run.report = soFar;
          },
          signal: AbortSignal.any([run.stop.signal, stopping]),
        });
        run.report = () => report;
        run.requestCount = report.requests;
        run.status = run.stop.signal.aborted && !report.complete ? 'stopped' : 'finished';
        run.outcome = run.status === 'stopped' ? (report.problems.at(-1) ?? '') : explainExitCode(report);
      } catch (error) {
        run.status = run.stop.signal.aborted ? 'stopped' : 'failed';
        run.outcome = errorMessage(error);
        if (!(error instanceof UserError)) onFailure(error);
      } finally {
        onEnd();
      }
    };
    run.ended = runSuite().catch(onFailure);
  };

  return {
    last: ({ id }) => {
      const run = runs.get(id);
      if (!run) return undefined;
      const { target, status, startedAt, clauseCount, requestCount, outcome } = run;
      return { target, status, startedAt, clauseCount, requestCount, outcome, checked: run.report()?.clauses ?? [] };
    },

    start: (account, { baseUrl, token, only, mayChangeRemoteRecords }: ContractTarget) =>
      startRun(
        account,
        {
          baseUrl,
          token,
          // By default, the suite writes only to services on this machine and just reads others.
          ...(mayChangeRemoteRecords ? { write: true } : {}),
          ...(only.length === 0 ? {} : { only }),
          // Only for this simulator: no other service may see the token.
          ...(isOfThisServer(baseUrl, ownUrl()) ? { controlToken } : {}),
        },
        () => undefined,
      ),

    startOnSimulator: async (account, only) => {
      // No two accounts can have the fixed tokens of the seed, so the copy gets its own.
      const { tokens: _fixedTokens, ...seed } = demo;
      const choices = account.record.profile;
      const { account: copy, tokens } = world.accounts.create({ id: world.accounts.freeId(), seed, choices });
      const removeCopy = (): void => {
        if (world.accounts.get(copy.id)) world.accounts.remove(copy);
      };
      const target = {
        baseUrl: `${ownUrl()}/api/v1`,
        token: tokens.full,
        readToken: tokens.read,
        writeToken: tokens.write,
        controlToken,
        ...(only.length === 0 ? {} : { only }),
      };
      try {
        await startRun(account, target, removeCopy);
      } catch (error) {
        removeCopy();
        throw error;
      }
    },

    stop: ({ id }) => runs.get(id)?.stop.abort(),

    async report({ id }) {
      const report = runs.get(id)?.report();
      if (!report) return undefined;
      const { htmlReport } = await import('../contract/report/html.js');
      return htmlReport(report);
    },

    whenIdle: () => Promise.all([...runs.values()].map(({ ended }) => ended)),
  };
}

/** Calls a function, and turns its UserError into a validation error of a field. @throws ServiceError invalid */
function asFieldError<Value>(field: string, call: () => Value): Value {
  try {
    return call();
  } catch (error) {
    if (error instanceof UserError) throw invalid(field, 'custom', { message: error.message });
    throw error;
  }
}

function isOfThisServer(baseUrl: string, ownUrl: string): boolean {
  return parseUrl(baseUrl)?.origin === new URL(ownUrl).origin;
}
