import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { formatCount } from '../../text/format.js';
import { readOutputFile } from '../support/arguments.js';
import { CommandError } from '../support/command-error.js';
import { example, notes } from '../support/help-text.js';
import { printable } from '../support/output.js';
import { cannotWriteError } from '../support/output-file.js';
import { stopOnSignalWithNotice } from '../support/stop-signal.js';
import { addTargetOptions, requireTarget, type TargetFlags } from './contract-flags.js';
import { prepareOutputFile } from './contract-outputs.js';
import { runSuiteCommand, suiteFailedExitCode, type UncaughtErrors } from './contract-process.js';
import { startProgress } from './contract-progress.js';

interface CalibrateFlags extends TargetFlags {
  readonly output?: string;
  readonly force?: true;
  readonly json?: true;
}

export function createCommand(): Command {
  const command = new Command('calibrate').description(
    'observe how an implementation fills the gaps in the specification, and write a profile that makes the simulator do the same',
  );
  return addTargetOptions(command)
    .option('--output <file>', 'write the profile (YAML) to this file instead of standard output', readOutputFile)
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print the findings as JSON instead of the profile')
    .addHelpText(
      'after',
      example(
        'calibrate --base-url https://billing.example/api/v1 --token demo_full --write --output staging.yaml',
        'start --memory --port 0 --profile staging.yaml',
      ),
    )
    .addHelpText(
      'after',
      notes(
        'Targets on other machines are only read unless --write is given; most gaps then stay unknown. Records that the run creates remain; most have a description or reference that begins with contract-. Prefer to pass the token in BILLING_TOKEN.',
        'Exit code: 0 the profile is written, 2 the command cannot run, the driver failed, or the target did not respond, 4 the suite itself failed. Gaps that stay unknown do not change the exit code.',
      ),
    )
    .action((_flags: unknown, self: Command) => runSuiteCommand((uncaughtErrors) => run(self, uncaughtErrors)));
}

async function run(command: Command, uncaughtErrors: UncaughtErrors): Promise<void> {
  const { output, force, json, ...flags } = command.opts<CalibrateFlags>();
  const options = requireTarget(flags);
  if (force && output === undefined) {
    throw new CommandError('--force needs --output, which names the file to overwrite', 'usage');
  }
  if (output !== undefined) {
    if (!force && existsSync(output)) throw new CommandError(`${output} already exists; overwrite it with --force`);
    await prepareOutputFile(output, `--output ${output}`);
  }
  const [{ calibrate }, { probes }, { runWithDrivers }, calibrateProfile] = await Promise.all([
    import('../../contract/calibrate/calibrate.js'),
    import('../../contract/sections/probes.js'),
    import('./driver-output.js'),
    import('./calibrate-profile.js'),
  ]);
  const { withValidChoicesOnly, profileText } = calibrateProfile;
  const progress = startProgress(probes.length, 'gaps');
  const calibration = await runWithDrivers([options], progress, () =>
    calibrate(options, {
      onProbe: progress.onClause,
      onWait: progress.onWait,
      uncaughtErrors: uncaughtErrors.collect(),
      signal: stopOnSignalWithNotice(),
    }),
  );

  const findings = withValidChoicesOnly(calibration);
  const text = profileText(calibration, findings, new Date());
  if (output !== undefined) await write(output, text, force === true);
  if (json) console.log(JSON.stringify({ ...calibration, findings }, null, 2));
  else if (output === undefined) process.stdout.write(text);

  const observedCount = findings.filter(({ choice }) => choice !== undefined).length;
  console.error(
    `${observedCount} of ${formatCount(findings.length, 'gap')} observed in ${formatCount(calibration.requests, 'request')}` +
      `${output === undefined ? '' : `; profile written to ${output}`}`,
  );
  const { problems, suiteErrors } = calibration;
  for (const line of [...problems, ...suiteErrors]) console.error(printable(`error: ${line}`));
  if (suiteErrors.length > 0) process.exitCode = suiteFailedExitCode;
  else if (problems.length > 0) process.exitCode = 2;
}

/** @throws CommandError */
async function write(file: string, text: string, isForced: boolean): Promise<void> {
  try {
    await writeFile(file, text, { flag: isForced ? 'w' : 'wx' });
  } catch (error) {
    throw cannotWriteError(`--output ${file}`, error);
  }
}
