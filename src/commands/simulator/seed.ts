import { Command, InvalidArgumentError } from 'commander';
import { conjunction } from '../../lib/messages.js';
import { formatCount } from '../../text/format.js';
import { CommandError } from '../support/command-error.js';
import { example } from '../support/help-text.js';
import { stopOnSignal } from '../support/stop-signal.js';
import { printText } from '../support/style.js';

interface SeedFlags {
  readonly data: string;
  readonly invoices: number;
  readonly customers?: number;
  readonly links: number;
  readonly payments: number;
  readonly deposits: number;
  readonly randomSeed: number;
  readonly json?: true;
}

export function createCommand(): Command {
  return new Command('seed')
    .description('add generated records to a data folder while the simulator is stopped')
    .option('--data <folder>', 'data folder', '.billing-sim')
    .option('--invoices <number>', 'how many invoices to add', readCount, 0)
    .option('--customers <number>', 'how many customers to add (default: one per 50 invoices)', readCount)
    .option('--links <number>', 'how many payment links to add', readCount, 0)
    .option(
      '--payments <number>',
      'how many payments of payment links to add (each paid invoice gets a payment of its own)',
      readCount,
      0,
    )
    .option('--deposits <number>', 'how many deposits to add', readCount, 0)
    .option('--random-seed <number>', 'seed of the random numbers; the same seed gives the same records', readCount, 1)
    .option('--json', 'print JSON')
    .addHelpText('after', example('seed --invoices 1000 --deposits 500'))
    .action(run);
}

async function run(flags: SeedFlags): Promise<void> {
  const requested = { ...flags, customers: flags.customers ?? Math.ceil(flags.invoices / 50) };
  if (kindsIn(requested).length === 0)
    throw new CommandError('nothing to add; give a number, for example --invoices 1000', 'usage');
  const stopSignal = stopOnSignal();
  // Imported on demand, because the name and word lists are large.
  const [{ addGeneratedRecords }, { SingleBar }] = await Promise.all([
    import('../../app/add-generated-records.js'),
    import('cli-progress'),
  ]);
  const bar = new SingleBar({
    format: 'seeding [{bar}] {value}/{total} records, {duration_formatted}',
    hideCursor: true,
  });
  const counts = await addGeneratedRecords(flags.data, requested, {
    randomSeed: flags.randomSeed,
    onProgress: ({ added, total }) => {
      if (bar.isActive) bar.setTotal(total);
      else bar.start(total, 0);
      bar.update(added);
    },
    log: (line) => console.error(line),
    stopSignal,
  }).finally(() => bar.stop());
  if (stopSignal.aborted)
    throw new CommandError(
      `interrupted after adding ${listOf(counts)} to ${flags.data}; these records remain, and running the command again adds the full numbers`,
    );
  if (flags.json) {
    const { customers, invoices, links: payment_links, payments, deposits } = counts;
    console.log(JSON.stringify({ folder: flags.data, customers, invoices, payment_links, payments, deposits }));
  } else printText(`Added ${listOf(counts)} to ${flags.data}`);
}

type RecordCounts = Required<Pick<SeedFlags, 'customers' | 'invoices' | 'links' | 'payments' | 'deposits'>>;

/** Lists the records that were added: `20 customers and 1000 invoices`. */
function listOf(counts: RecordCounts): string {
  const kinds = kindsIn(counts);
  return kinds.length === 0 ? 'no records' : conjunction(kinds);
}

/** The kinds of records of which there are any, each with its number: `20 customers`. */
function kindsIn({ customers, invoices, links, payments, deposits }: RecordCounts): string[] {
  const kinds: readonly [number, string][] = [
    [customers, 'customer'],
    [invoices, 'invoice'],
    [links, 'payment link'],
    [payments, 'payment'],
    [deposits, 'deposit'],
  ];
  return kinds.filter(([count]) => count > 0).map(([count, noun]) => formatCount(count, noun));
}

function readCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(count <= 10_000_000)) throw new InvalidArgumentError('expected a whole number up to 10,000,000');
  return count;
}
