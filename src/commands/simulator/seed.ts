import { Command, InvalidArgumentError } from 'commander';
import { loadWorld } from '../../app/server.js';
import { readSeed } from '../../files/seed-file.js';
import { CommandError } from '../support/command-error.js';

interface SeedFlags {
  readonly data: string;
  readonly invoices: number;
  readonly customers?: number;
  readonly links: number;
  readonly payments: number;
  readonly deposits: number;
  readonly randomSeed: number;
}

export function seedCommand(): Command {
  return new Command('seed')
    .description('add generated records to a data folder while the simulator is stopped')
    .option('--data <folder>', 'data folder', '.billing-sim')
    .option('--invoices <number>', 'how many invoices to add', readCount, 0)
    .option('--customers <number>', 'how many customers to add (default: one per 50 invoices)', readCount)
    .option('--links <number>', 'how many payment links to add', readCount, 0)
    .option('--payments <number>', 'how many payments to add', readCount, 0)
    .option('--deposits <number>', 'how many deposits to add', readCount, 0)
    .option('--random-seed <number>', 'the same seed gives the same records', readCount, 1)
    .addHelpText('after', '\nExample:\n  $ billing-sim seed --invoices 100000 --deposits 500')
    .action(run);
}

async function run(flags: SeedFlags): Promise<void> {
  // Loaded here only: the names and words that records are made up of are large.
  const [{ generateRecords }, { SingleBar }] = await Promise.all([
    import('../../simulation/seeding/generate.js'),
    import('cli-progress'),
  ]);
  const counts = { ...flags, customers: flags.customers ?? Math.ceil(flags.invoices / 50) };
  const { world, begin, close } = await loadWorld({
    folder: flags.data,
    durability: 'os',
    seed: await readSeed('demo'),
    choices: undefined,
    now: undefined,
    randomSeed: undefined,
    rateLimit: undefined,
    log: (line) => console.error(line),
  });
  const bar = new SingleBar({
    format: 'seeding [{bar}] {value}/{total} records, {duration_formatted}',
    hideCursor: true,
  });
  const { customers, invoices, links, payments, deposits } = counts;
  try {
    const account = world.fallback();
    if (invoices + payments > 0 && customers + account.customers.size === 0) {
      throw new CommandError('invoices and payments need a customer: add --customers 1, or more');
    }
    if (payments > 0 && links + account.paymentLinks.size === 0) {
      throw new CommandError('payments need a payment link: add --links 1, or more');
    }
    await begin();
    bar.start(customers + invoices + links + payments + deposits, 0);
    for (const changes of generateRecords(account, counts, flags.randomSeed)) {
      account.transaction((tx) => tx.put(changes));
      await account.stored();
      bar.increment(Object.values(changes).reduce((sum, rows) => sum + rows.length, 0));
    }
  } finally {
    bar.stop();
    await close();
  }
}

function readCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(count <= 10_000_000)) throw new InvalidArgumentError('expected a whole number up to 10000000');
  return count;
}
