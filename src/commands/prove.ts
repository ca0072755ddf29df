import { Command, InvalidArgumentError } from 'commander';
import { CannotRun } from '../contract/cannot-run.js';
import type { Share } from '../contract/prove/share.js';
import { CommandError } from './command-error.js';
import { refuseUnwritable, tell } from './contract-outputs.js';
import { example } from './verb.js';
import { printable } from './words.js';

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
      .option('--share <k/n>', 'prove one part of n, such as 3/20; all parts together prove all', readShare)
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
  try {
    await proveSimulator(flags);
  } catch (error) {
    if (error instanceof CannotRun || error instanceof CommandError) throw error;
    console.error(`error: ${error instanceof Error ? printable(error.message) : String(error)}`);
    process.exitCode = 4;
  }
}

async function proveSimulator({ only, quick, share, ...outputs }: ProveFlags): Promise<void> {
  const [{ clauses }, { selected }, { mutants }, { prove, isTestable }, { shareOf }, { isProven }, { startGround }] =
    await Promise.all([
      import('../contract/clauses/index.js'),
      import('../contract/select.js'),
      import('../contract/mutants/index.js'),
      import('../contract/prove/prove.js'),
      import('../contract/prove/share.js'),
      import('../contract/prove/matrix.js'),
      import('./prove-ground.js'),
    ]);
  const { startProof } = await import('./prove-progress.js');
  const startedAt = new Date();
  const testable = selected(only).filter(isTestable);
  const chosen = share ? shareOf(testable, share) : testable;
  const progress = startProof();
  const ground = await startGround();
  let requests = 0;
  try {
    const matrix = await prove({
      clauses,
      mutants,
      chosen,
      isWhole: !quick,
      open: ground.open,
      onBaseline(asked) {
        requests += asked;
        progress.begin(chosen.length);
      },
      onTrial(trial) {
        requests += trial.requests;
        progress.onTrial();
      },
    });
    progress.stop();
    process.exitCode = isProven(matrix) ? 0 : 1;
    const proof = {
      depth: quick ? ('own clause' as const) : ('whole suite' as const),
      share: share ? `${share.part}/${share.of}` : null,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      requests,
      ...matrix,
    };
    const { proofInWords } = await import('./prove-words.js');
    await tell(proof, () => proofInWords(proof), outputs);
  } finally {
    progress.stop();
    await ground.close();
  }
}

function readShare(text: string): Share {
  const [, part = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (!(part >= 1 && part <= of)) throw new InvalidArgumentError('a share is written as 3/20, from 1/20 to 20/20');
  return { part, of };
}
