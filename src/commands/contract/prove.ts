import { Command, InvalidArgumentError } from 'commander';
import { parseShard, type Shard } from '../../contract/mutation/shard.js';
import { errorMessage } from '../../lib/errors.js';
import { UserError } from '../../lib/user-error.js';
import { example, notes } from '../support/help-text.js';
import { printable } from '../support/output.js';
import { addClauses } from './contract-flags.js';
import { prepareOutputs, printResult } from './contract-outputs.js';

interface ProveFlags {
  readonly only?: readonly string[];
  readonly quick?: true;
  readonly shard?: Shard;
  readonly json?: string;
}

export function createCommand(): Command {
  return new Command('prove')
    .description(
      'mutation-test the contract suite: break a simulator once for each clause and check that the clause fails',
    )
    .option('--only <ids...>', 'clauses to test, by id or id prefix', addClauses)
    .option('--quick', 'run each mutant against its own clause only, not the whole suite')
    .option(
      '--shard <k/n>',
      'test one of n parts, for example 3/20; today/20 picks a different one each day',
      readShard,
    )
    .option('--json <file|->', 'write clauses and mutants as JSON; - prints it')
    .addHelpText('after', example('prove --quick --only DEP-CAPTURE', 'prove --quick --shard 3/20 --json matrix.json'))
    .addHelpText(
      'after',
      notes(
        'The command runs its own simulator, inside its process, and touches nothing else.',
        'Exit code: 0 each clause detected its mutant, 1 some clauses did not, or have no mutant, 2 the command cannot run, 4 the clauses do not pass on the original simulator, or the suite itself failed.',
      ),
    )
    .action(run);
}

async function run(flags: ProveFlags): Promise<void> {
  await prepareOutputs(flags);
  // Imported on demand: the suite and the simulator take a long time to load.
  const [{ proveSuite }, { createProveProgress }, { formatProveResult }] = await Promise.all([
    import('./prove-suite.js'),
    import('./prove-progress.js'),
    import('./prove-text.js'),
  ]);
  const progress = createProveProgress();
  try {
    const result = await proveSuite(flags, progress).finally(progress.stop);
    process.exitCode = result.exitCode;
    await printResult(result, () => formatProveResult(result), flags);
  } catch (error) {
    if (error instanceof UserError) throw error;
    console.error(`error: ${printable(errorMessage(error))}`);
    process.exitCode = 4;
  }
}

function readShard(text: string): Shard {
  const shard = parseShard(text);
  if (!shard) throw new InvalidArgumentError('expected a shard, for example 3/20 (from 1/20 to 20/20) or today/20');
  return shard;
}
