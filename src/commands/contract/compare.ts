import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { Command } from 'commander';
import type { Comparison } from '../../contract/compare/compare.js';
import type { PlainOptions } from '../../contract/engine/open-session.js';
import { printable } from '../support/output.js';
import { untilForced } from '../support/until-signalled.js';
import { example } from '../support/verb.js';
import { addCompareOptions, type CompareFlags, optionsOf } from './compare-flags.js';
import { printResult, requireWritableOutputs } from './contract-outputs.js';
import { guarded } from './contract-process.js';
import { startProgress } from './contract-progress.js';

export function compareCommand(): Command {
  const command = new Command('compare').description(
    'run the same checks on two implementations, and label each difference as a violation, a gap or noise',
  );
  return (
    addCompareOptions(command)
      .addHelpText(
        'after',
        example(
          'compare --base-url http://127.0.0.1:4010/api/v1 --token demo_full \\',
          '    --base-url https://staging.example/api/v1 --token $TOKEN --driver "" --driver driver.mjs --write',
        ),
      )
      .addHelpText(
        'after',
        '\nViolation: one of the two breaks a documented rule. Gap: the specification leaves it open. Noise: it differs from\n' +
          'run to run. Options from --token to --webhook-port apply to both or, given twice, to the first and the second; an\n' +
          'empty string means none. Records are only created if both are on this machine, or with --write.\n\n' +
          'Exit code: 0 no violation, 1 at least one of the two violates a documented clause, 2 the command cannot run, or\n' +
          'some clauses could not be checked, 4 the suite itself failed.',
      )
      // Exit code 1 means a violation.
      .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
      .action((flags: CompareFlags) => guarded(() => run(flags)))
  );
}

async function run(flags: CompareFlags): Promise<void> {
  const options = optionsOf(flags);
  requireWritableOutputs(flags);
  // Imported on demand: the clauses take long to load.
  const [{ compare }, { checksOf }, { formatComparison }] = await Promise.all([
    import('../../contract/compare/compare.js'),
    import('../../contract/compare/checks.js'),
    import('./compare-text.js'),
  ]);
  const progress = startProgress(checksOf(flags.only).length);
  const restoreConsole = await redirectConsole([options.a, options.b]);
  let comparison: Comparison;
  try {
    comparison = await compare(options, { ...progress, signal: untilForced() });
  } finally {
    restoreConsole();
    progress.stop();
  }
  process.exitCode = comparison.exitCode;
  await printResult(comparison, () => formatComparison(comparison, flags.noise === true), flags);
}

/** Redirects the output of drivers to stderr, with secrets redacted. @returns restores the console */
async function redirectConsole(options: readonly PlainOptions[]): Promise<() => void> {
  const { redacting } = await import('../../contract/report/redact.js');
  const redact = redacting(options.flatMap(secretsOf));
  const own = globalThis.console;
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      process.stderr.write(printable(redact(String(chunk))));
      done();
    },
  });
  globalThis.console = new Console(stream);
  return () => {
    globalThis.console = own;
  };
}

function secretsOf({ token, readToken, writeToken, scopelessToken, webhookSecret, controlToken }: PlainOptions) {
  return [token, readToken, writeToken, scopelessToken, webhookSecret, controlToken];
}
