import { Command, InvalidArgumentError } from 'commander';
import { CannotRun } from '../../contract/engine/cannot-run.js';
import { parseShare, type Share } from '../../contract/mutation/share.js';
import { CommandError } from '../support/command-error.js';
import { example } from '../support/verb.js';
import { printable } from '../support/words.js';
import { refuseUnwritable, tell } from './contract-outputs.js';

interface ProveFlags {
  readonly only?: readonly string[];
  readonly quick?: true;
  readonly share?: Share;
  readonly json?: string;
}

export function proveCommand(): Command {
  return (
    new Command('prove')
      .description('prove the contract suite: break a simulator once for each clause, and see that the clause notices')
      .option('--only <ids...>', 'clauses to prove, or what their ids begin with')
      .option('--quick', 'show each mutant to its own clause alone, and not to the whole suite')
      .option('--share <k/n>', 'prove one part of n, such as 3/20; today/20 is another one each day', readShare)
      .option('--json <file>', 'write clauses and mutants as JSON; - prints it')
      .addHelpText(
        'after',
        example('prove --quick', 'prove --only DEP-CAPTURE', 'prove --share 3/20 --json matrix.json'),
      )
      .addHelpText(
        'after',
        '\nThe simulators are its own, in its own process: nothing else is touched.\n\n' +
          'Exit code: 0 each clause has seen its mutant, 1 some have not, or have none, 2 it cannot run, 4 the suite is not\n' +
          'green on the unbroken simulator, or has failed.',
      )
      // 1 tells of a survivor.
      .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
      .action(run)
  );
}

async function run(flags: ProveFlags): Promise<void> {
  refuseUnwritable(flags);
  // Loaded here only: the suite is large, and so is the simulator.
  const [{ proveSimulator }, { startProof }, { proofInWords }] = await Promise.all([
    import('./prove-simulator.js'),
    import('./prove-progress.js'),
    import('./prove-words.js'),
  ]);
  const progress = startProof();
  try {
    const proof = await proveSimulator(flags, progress).finally(progress.stop);
    process.exitCode = proof.exitCode;
    await tell(proof, () => proofInWords(proof), flags);
  } catch (error) {
    if (error instanceof CannotRun || error instanceof CommandError) throw error;
    console.error(`error: ${error instanceof Error ? printable(error.message) : String(error)}`);
    process.exitCode = 4;
  }
}

function readShare(text: string): Share {
  const share = parseShare(text);
  if (!share) throw new InvalidArgumentError('a share is written as 3/20, from 1/20 to 20/20, or as today/20');
  return share;
}
