import { DriverError } from '../../contract/drivers/driver.js';
import { CannotRun } from '../../contract/engine/cannot-run.js';
import type { PlainOptions } from '../../contract/engine/contract.js';
import { CommandError } from '../support/command-error.js';
import type { TargetFlags } from './contract-flags.js';

/** Exit code of a run in which the suite itself has failed. */
export const suiteFailed = 4;

/** Does what a command of the suite does; that the suite fails is told apart from everything else. */
export async function guarded(run: () => Promise<void>): Promise<void> {
  process.once('uncaughtException', (error) => {
    tellFault(error);
    process.exit(suiteFailed);
  });
  try {
    await run();
  } catch (error) {
    if (error instanceof CannotRun || error instanceof CommandError) throw error;
    if (error instanceof DriverError) throw new CommandError(error.message);
    tellFault(error);
    process.exitCode = suiteFailed;
  }
}

function tellFault(error: unknown): void {
  console.error(`error: the suite itself failed: ${error instanceof Error ? error.message : String(error)}`);
}

/** The target that flags name. @throws CommandError if what must be given is not */
export function optionsOf<Flags extends TargetFlags>(flags: Flags): Flags & Pick<PlainOptions, 'baseUrl' | 'token'> {
  const { baseUrl, token } = flags;
  if (baseUrl === undefined) {
    throw new CommandError('no target: name it with --base-url, such as https://billing.example/api/v1');
  }
  if (token === undefined) {
    throw new CommandError('no token: pass one with both scopes in BILLING_TOKEN or with --token');
  }
  return { ...flags, baseUrl, token };
}

/** Aborted by the first signal, so that what was opened is closed; a second one ends the process. */
export function untilSignalled(): AbortSignal {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (ended.signal.aborted) process.exit(2);
      console.error('Stopping. Press Ctrl-C again to force.');
      ended.abort();
    });
  }
  return ended.signal;
}
