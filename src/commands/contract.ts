import { Command } from 'commander';
import { CannotRun } from '../contract/cannot-run.js';
import type { PlainOptions } from '../contract/contract.js';
import { DriverError } from '../contract/driver.js';
import type { Report } from '../contract/report.js';
import { readWaivers } from '../contract/waivers.js';
import { CommandError } from './command-error.js';
import { applyConfig } from './contract-config.js';
import { addContractOptions, type ContractFlags } from './contract-flags.js';
import { refuseUnwritable, tell, writeReports } from './contract-outputs.js';
import { startProgress } from './contract-progress.js';
import { example } from './verb.js';
import { printable } from './words.js';

export function contractCommand(): Command {
  const command = new Command('contract').description(
    'check whether an implementation of the service keeps what the specification promises',
  );
  return (
    addContractOptions(command)
      .addHelpText(
        'after',
        example(
          'contract --base-url http://127.0.0.1:4010/api/v1 --token demo_full',
          'contract --config contract.yaml --write --driver driver.mjs --html report.html',
          'contract --list',
        ),
      )
      .addHelpText(
        'after',
        '\nBeyond this machine nothing is changed unless --write is given; what the suite makes there stays, and has texts that\n' +
          'begin with contract-. What is left out on the command line is taken from the environment, then from --config.\n\n' +
          'Exit code: 0 what was verified is as documented, 1 a documented clause is violated, 2 it cannot run, or not all could\n' +
          'be checked as it should be, 3 a waiver is to be removed, 4 the suite itself failed.',
      )
      // 1 tells of a violated clause.
      .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
      .action((_flags: unknown, self: Command) => run(self))
  );
}

async function run(command: Command): Promise<void> {
  process.once('uncaughtException', (error) => {
    tellFault(error);
    process.exit(4);
  });
  try {
    const { config } = command.opts<ContractFlags>();
    if (config !== undefined) applyConfig(command, config);
    const flags = command.opts<ContractFlags>();
    if (flags.list) return await tellLedger(flags);
    const options = optionsOf(flags);
    if (flags.dryRun) return await tellRehearsal(flags, options);
    await check(flags, options);
  } catch (error) {
    if (error instanceof CannotRun || error instanceof CommandError) throw error;
    if (error instanceof DriverError) throw new CommandError(error.message);
    tellFault(error);
    process.exitCode = 4;
  }
}

function tellFault(error: unknown): void {
  console.error(`error: the suite itself failed: ${error instanceof Error ? error.message : String(error)}`);
}

async function check(flags: ContractFlags, options: PlainOptions): Promise<void> {
  // Loaded here only: vitest is large.
  const [{ runContract }, { clauses }, { selected }] = await Promise.all([
    import('../contract/contract.js'),
    import('../contract/clauses/index.js'),
    import('../contract/select.js'),
  ]);
  const ids = clauses.map(({ id }) => id);
  const waivers = flags.waivers === undefined ? [] : readWaivers(flags.waivers, ids);
  refuseUnwritable(flags);
  const progress = startProgress(selected(options.only).length);
  let report: Report;
  try {
    report = await runContract(options, {
      waivers,
      onClause: progress.onClause,
      onWait: progress.onWait,
      onPrint: (text) => void process.stderr.write(printable(text)),
      signal: untilSignalled(),
    });
  } finally {
    progress.stop();
  }
  process.exitCode = report.exitCode;
  const { reportInWords } = await import('./contract-words.js');
  await tell(report, () => reportInWords(report), flags);
  await writeReports(report, flags);
}

async function tellLedger(flags: ContractFlags): Promise<void> {
  const [{ ledger, ledgerInWords }, { selected }] = await Promise.all([
    import('./contract-ledger.js'),
    import('../contract/select.js'),
  ]);
  const chosen = selected(flags.only);
  await tell(ledger(chosen), () => ledgerInWords(chosen), flags);
}

async function tellRehearsal(flags: ContractFlags, options: PlainOptions): Promise<void> {
  const [{ rehearse }, { rehearsalInWords, rehearsed }, { selected }] = await Promise.all([
    import('./contract-rehearsal.js'),
    import('./contract-rehearsal-words.js'),
    import('../contract/select.js'),
  ]);
  const progress = startProgress(selected(options.only).length);
  const rehearsal = await rehearse(options, progress.onClause).finally(progress.stop);
  await tell(rehearsed(rehearsal), () => rehearsalInWords(rehearsal), flags);
}

/** @throws CommandError if what must be given is not */
function optionsOf(flags: ContractFlags): PlainOptions {
  const { baseUrl, token } = flags;
  if (baseUrl === undefined) {
    throw new CommandError('which implementation? Name it with --base-url, such as https://billing.example/api/v1');
  }
  if (token === undefined) {
    throw new CommandError('a token with both scopes is needed: give it in BILLING_TOKEN, or with --token');
  }
  return { ...flags, baseUrl, token };
}

/** Aborted by the first signal, so that what was opened is closed; a second one ends the process. */
function untilSignalled(): AbortSignal {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (ended.signal.aborted) process.exit(2);
      console.error('ending; once more ends it at once');
      ended.abort();
    });
  }
  return ended.signal;
}
