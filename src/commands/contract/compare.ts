import { Command } from 'commander';
import { shellWord } from '../../lib/messages.js';
import { example, notes } from '../support/help-text.js';
import { stopOnSignalWithNotice } from '../support/stop-signal.js';
import { printNotice } from '../support/style.js';
import { addCompareOptions, type CompareFlags, readOptionsOfBoth } from './compare-flags.js';
import { prepareOutputs, printResult } from './contract-outputs.js';
import { runSuiteCommand, type UncaughtErrors } from './contract-process.js';
import { startProgress } from './contract-progress.js';

export function createCommand(): Command {
  const command = new Command('compare').description(
    'run the same checks on two implementations, each given with --base-url and --token, and label each difference as a violation, a gap or noise',
  );
  return addCompareOptions(command)
    .addHelpText(
      'after',
      example(
        'compare --base-url http://127.0.0.1:4010/api/v1 --token demo_full --base-url https://billing.example/api/v1 --token demo_full --only INV-STATS',
      ),
    )
    .addHelpText(
      'after',
      notes(
        'Violation: one of the two breaks a documented rule, responds with a status of 500 or more, or returns a value of a wrong type. Gap: the specification leaves the behavior open. Noise: the value differs from run to run. The options from --token to --webhook-port in the list above apply to both implementations. If one is given twice, its first value is for the first implementation, and its second value for the second; the value `-` leaves the option out for one of them. A port that is given with --webhook-port, other than 0, cannot be used for both. Records are only created if both are on this machine, or with --write.',
        'Exit code: 0 no violation, 1 at least one violation, 2 the command cannot run, or for at least one of the two the driver failed, the target did not respond, or no documented clause was verified, 4 the suite itself failed. Skipped clauses do not change the exit code.',
      ),
    )
    .action((flags: CompareFlags) => runSuiteCommand((uncaughtErrors) => run(flags, uncaughtErrors)));
}

async function run(flags: CompareFlags, uncaughtErrors: UncaughtErrors): Promise<void> {
  const options = readOptionsOfBoth(flags);
  const shared = sharedDriver(flags, options);
  if (shared !== undefined) {
    printNotice(
      `${shared} is the driver of both; to use it only for the second: --driver - --driver ${shellWord(shared)}`,
    );
  }
  await prepareOutputs(
    flags,
    [options.a, options.b].map(({ driver }) => ['--driver', driver]),
  );
  // Imported on demand: the clauses take a long time to load.
  const [{ clausesToCompare, compare }, { runWithDrivers }, { formatComparison }] = await Promise.all([
    import('../../contract/compare/compare.js'),
    import('./driver-output.js'),
    import('./compare-text.js'),
  ]);
  const progress = startProgress(clausesToCompare(flags.only).length);
  const comparison = await runWithDrivers([options.a, options.b], progress, () =>
    compare(options, { ...progress, uncaughtErrors: uncaughtErrors.collect(), signal: stopOnSignalWithNotice() }),
  );
  process.exitCode = comparison.exitCode;
  await printResult(comparison, () => formatComparison(comparison, { showsNoise: flags.noise === true }), flags);
}

/** Returns the file of a driver that is given once, and that both use although their addresses differ. */
function sharedDriver(
  { driver = [] }: CompareFlags,
  { a, b }: ReturnType<typeof readOptionsOfBoth>,
): string | undefined {
  const [file] = driver;
  return driver.length > 1 || file === 'none' || a.baseUrl === b.baseUrl ? undefined : file;
}
