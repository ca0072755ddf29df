import { Command } from 'commander';
import type { FileDriverOptions } from '../../contract/engine/open-session.js';
import type { RunReport } from '../../contract/report/run-report.js';
import { shellWord } from '../../lib/messages.js';
import { example, notes } from '../support/help-text.js';
import { printable } from '../support/output.js';
import { stopOnSignalWithNotice } from '../support/stop-signal.js';
import { formatEstimate } from './contract-estimate-text.js';
import { addContractOptions, type ContractFlags, requireTarget } from './contract-flags.js';
import { type Outputs, prepareOutputs, printResult, startDrafts, writeReports } from './contract-outputs.js';
import { runSuiteCommand, type UncaughtErrors } from './contract-process.js';
import { startProgress } from './contract-progress.js';
import { readRunReport } from './read-run-report.js';
import { readWaivers } from './read-waivers.js';

export function createCommand(): Command {
  const command = new Command('contract').description(
    'test an implementation of the service against the specification',
  );
  return addContractOptions(command)
    .addHelpText(
      'after',
      example(
        'contract --base-url http://127.0.0.1:4010/api/v1 --token demo_full',
        'contract --base-url https://billing.example/api/v1 --token demo_full --write --html report.html',
        'contract --base-url http://127.0.0.1:4010/api/v1 --token demo_full --only HOOK INV-STATS-02',
        'contract --list',
      ),
    )
    .addHelpText(
      'after',
      notes(
        'Targets on other machines are only read unless --write is given. Records that the run creates remain; most have a description or reference that begins with contract-. Options are read from the command line, then the environment, then the configuration file.',
        'Exit code: 0 no violations in what was checked, 1 a documented clause is violated, 2 the command cannot run, the driver failed, the target did not respond, or no documented clause was verified, 3 a waiver is stale, 4 the suite itself failed. Skipped clauses do not change the exit code.',
      ),
    )
    .action((_flags: unknown, self: Command) => runSuiteCommand((uncaughtErrors) => run(self, uncaughtErrors)));
}

async function run(command: Command, uncaughtErrors: UncaughtErrors): Promise<void> {
  const flags = command.opts<ContractFlags>();
  if (flags.list) return await printClauses(flags);
  const options = requireTarget(flags);
  if (flags.dryRun) return await printDryRun(flags, options, uncaughtErrors);
  await check(flags, options, uncaughtErrors);
}

async function check(flags: ContractFlags, options: FileDriverOptions, uncaughtErrors: UncaughtErrors): Promise<void> {
  // A resumed run updates the report that it resumes, unless --json names another file.
  const outputs = { ...flags, json: flags.json ?? flags.resume };
  await prepareOutputs(outputs, [
    ['--waivers', flags.waivers],
    ['--resume', flags.resume],
    ['--driver', flags.driver],
  ]);
  // Imported on demand, so that `--help` and `--list` are fast.
  const [{ remainingClauses, runContract }, { clauses }, { withWaivers }] = await Promise.all([
    import('../../contract/engine/run-contract.js'),
    import('../../contract/sections/clauses.js'),
    import('../../contract/report/run-report.js'),
  ]);
  const ids = clauses.map(({ id }) => id);
  const waivers = flags.waivers === undefined ? [] : await readWaivers(flags.waivers, ids);
  const resumedReport = flags.resume === undefined ? undefined : await readRunReport(flags.resume);
  const remaining = remainingClauses(options, resumedReport);
  if (resumedReport && remaining.length === 0) {
    console.error(`Nothing left to check: the run of ${flags.resume} is complete.`);
    return await finish(withWaivers(resumedReport, waivers, new Date()), outputs);
  }
  const signal = stopOnSignalWithNotice();
  const writeDraft = await startDrafts(outputs);
  const progress = startProgress(remaining.length);
  let report: RunReport;
  try {
    report = await runContract(options, {
      waivers,
      resumedReport,
      onOpen: (estimate) => {
        if (flags.json !== '-') progress.print(formatEstimate(estimate));
      },
      onClause: (target, createReportSoFar) => {
        progress.onClause(target);
        writeDraft(createReportSoFar);
      },
      onWait: progress.onWait,
      onPrint: (text) => void process.stderr.write(printable(text)),
      signal,
      uncaughtErrors: uncaughtErrors.collect(),
    });
  } finally {
    progress.stop();
  }
  await finish(report, outputs);
  if (signal.aborted && !report.complete) console.error(interruptionText(report, outputs));
}

/** Prints the report of a run, and writes the requested files. @throws CommandError */
async function finish(report: RunReport, outputs: Outputs): Promise<void> {
  process.exitCode = report.exitCode;
  const { formatReport } = await import('./contract-text.js');
  await writeReports(report, () => formatReport(report), outputs);
}

/** Returns an error message about an interrupted run that says how to resume it. */
function interruptionText({ problems }: RunReport, { json }: Outputs): string {
  const hint = json === undefined || json === '-' ? '' : `; continue it with --resume ${shellWord(json)}`;
  return `error: ${problems.join('; ')}${hint}`;
}

async function printClauses(flags: ContractFlags): Promise<void> {
  const [{ clauseListJson, formatClauseList }, { selectClauses }, { probes }] = await Promise.all([
    import('./clause-list.js'),
    import('../../contract/engine/select.js'),
    import('../../contract/sections/probes.js'),
  ]);
  const selected = selectClauses(flags.only);
  // `contract` does not run active probes, since they would add requests.
  const calibrateOnly = flags.only === undefined ? probes.filter(({ isPassive }) => !isPassive) : [];
  await printResult(clauseListJson(selected, calibrateOnly), () => formatClauseList(selected, calibrateOnly), flags);
}

async function printDryRun(
  flags: ContractFlags,
  options: FileDriverOptions,
  uncaughtErrors: UncaughtErrors,
): Promise<void> {
  const [{ dryRun }, { runWithDrivers }, { formatDryRun, dryRunJson }, { selectClauses }] = await Promise.all([
    import('./dry-run.js'),
    import('./driver-output.js'),
    import('./dry-run-text.js'),
    import('../../contract/engine/select.js'),
  ]);
  await prepareOutputs(flags, [['--driver', flags.driver]]);
  const progress = startProgress(selectClauses(options.only).length);
  const result = await runWithDrivers([options], progress, () =>
    dryRun(options, progress.onClause, uncaughtErrors.collect()),
  );
  await printResult(dryRunJson(result), () => formatDryRun(result), flags);
}
