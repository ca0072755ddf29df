import { Command, Option } from 'commander';
import { shellWord } from '../../lib/messages.js';
import type { Choices } from '../../openapi/profile.js';
import { formatTime } from '../../text/format.js';
import { readDateOrTime, readName, withChoices } from '../support/arguments.js';
import { CommandError } from '../support/command-error.js';
import { addConnectionOptions, type Control, RejectedError, singlePageQuery } from '../support/control.js';
import { example } from '../support/help-text.js';
import { type CommandOutput, clockStatus, columns, listOutput } from '../support/output.js';
import { readProfile } from '../support/read-profile.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';

interface CreateFlags {
  readonly seed: string;
  readonly profile?: string;
  readonly now?: string;
  readonly randomSeed?: string;
  readonly rateLimit: 'on' | 'off';
  readonly webhookUrl?: string;
}

export function createCommand(): Command {
  const account = new Command('account')
    .description('list, create and remove billing accounts, which are isolated from each other')
    .addHelpText('after', example('account create hotel --now 2026-03-01T09:00:00Z'));
  return addSubcommands(addConnectionOptions(account), [
    new Command('list')
      .description('list the accounts')
      .addHelpText('after', example('account list'))
      .action(
        controlAction(async ({ call }) => {
          const value = await call('get', '/accounts', { query: singlePageQuery });
          return listOutput(value, 'No accounts.', ({ id, now, mode }) => [id, formatTime(now), clockStatus(mode)]);
        }),
      ),
    new Command('create')
      .description('create an account and show its tokens, which are shown only once')
      .argument('[id]', 'id of the account (default: account-1 or the next free one)', readName)
      .option('--seed <demo|empty|file>', 'initial records: demo, empty, or a JSON or YAML file', 'empty')
      .option('--profile <file>', 'choices for the gaps in the specification (YAML)')
      .option('--now <time>', 'freeze the clock at this ISO 8601 time, or at midnight UTC of a date', readDateOrTime)
      .option('--random-seed <text>', 'derive ids, tokens and the webhook secret from this text')
      .addOption(withChoices(new Option('--rate-limit <mode>', 'enforce the rate limit'), ['on', 'off']).default('on'))
      .option('--webhook-url <url>', 'URL that webhooks are sent to')
      .addHelpText('after', example('account create hotel --seed demo --now 2026-03-01T09:00:00Z'))
      .action(controlAction(create)),
    new Command('remove')
      .description('remove an account and everything in it')
      .argument('<id>', 'id of the account', readName)
      .addHelpText('after', example('account remove hotel'))
      .action(
        controlAction(async ({ call }, _flags, account) => {
          const value = await call('delete', '/accounts/{account}', { path: { account } });
          return { value, text: `Account ${value.id} removed.` };
        }),
      ),
  ]);
}

async function create({ call }: Control, flags: CreateFlags, id?: string): Promise<CommandOutput> {
  const profile = await readProfile(flags.profile);
  const value = await call('post', '/accounts', {
    body: {
      id,
      seed: await readSeedOption(flags.seed, profile),
      profile,
      now: flags.now,
      random_seed: flags.randomSeed,
      rate_limit: flags.rateLimit === 'on',
      webhook_url: flags.webhookUrl,
    },
  }).catch((error: unknown) => {
    throw seedError(error, flags.seed);
  });
  const { full, read, write } = value.tokens;
  const rows = [
    ['account', value.id],
    ['service', value.base_url],
    ['tokens', `${full} (all scopes)`],
    ['', `${read} (billing.read)`],
    ['', `${write} (billing.write)`],
    ['webhook secret', value.webhook_secret],
  ];
  return { value, text: columns(rows) };
}

/**
 * Returns the seed for the control API: the name of a built-in seed, or the contents of a file.
 * @param profile the choices of the account
 * @throws FileError
 */
async function readSeedOption(nameOrFile: string, profile: Choices | undefined) {
  if (nameOrFile === 'demo' || nameOrFile === 'empty') return nameOrFile;
  const { readSeed } = await import('../../files/seed-file.js');
  return { ...(await readSeed(nameOrFile, profile)) };
}

/** Explains an error of a request that contains the records of a seed file. */
function seedError(error: unknown, file: string): unknown {
  if (!(error instanceof RejectedError && error.status === 413)) return error;
  return new CommandError(
    `${file}: the records are larger than 1 MB as JSON; remove some, or start a simulator with the file: billing-sim start --seed ${shellWord(file)}`,
  );
}
