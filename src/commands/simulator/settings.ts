import { Command, Option } from 'commander';
import type { components } from '../../generated/control-types.js';
import { withChoices } from '../support/arguments.js';
import { CommandError } from '../support/command-error.js';
import { addAccountOptions, type Control } from '../support/control.js';
import { example } from '../support/help-text.js';
import { type CommandOutput, columns } from '../support/output.js';
import { readProfile } from '../support/read-profile.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';

type Settings = components['schemas']['Settings'];

interface SetFlags {
  readonly webhookUrl?: string;
  readonly webhookSecret?: string;
  readonly rateLimit?: 'on' | 'off';
  readonly profile?: string;
}

export function createCommand(): Command {
  const settings = new Command('settings')
    .description('show and change the settings of an account')
    .addHelpText('after', example('settings set --webhook-url localhost:3000/webhooks'));
  return addSubcommands(addAccountOptions(settings), [
    new Command('show')
      .description('show the settings')
      .addHelpText('after', example('settings show'))
      .action(controlAction(async ({ call }) => outputOf(await call('get', '/accounts/{account}/settings')))),
    new Command('set')
      .description('change the given settings')
      .option('--webhook-url <url>', 'URL to send webhooks to, or `none`')
      .option('--webhook-secret <text>', 'secret that webhooks are signed with')
      .addOption(withChoices(new Option('--rate-limit <mode>', 'enforce the rate limit'), ['on', 'off']))
      .option('--profile <file>', 'choices for the gaps in the specification (YAML); replaces all earlier choices')
      .addHelpText('after', example('settings set --webhook-url localhost:3000/webhooks --rate-limit off'))
      .action(controlAction(change)),
    new Command('rotate-secret')
      .description('replace the webhook secret with a new one, and print it')
      .addHelpText('after', example('settings rotate-secret'))
      .action(
        controlAction(async ({ call }) => {
          const value = await call('post', '/accounts/{account}/webhook-secret/rotate');
          return { value, text: value.webhook_secret };
        }),
      ),
  ]);
}

async function change({ call }: Control, flags: SetFlags): Promise<CommandOutput> {
  const { webhookUrl, webhookSecret, rateLimit, profile } = flags;
  if ([webhookUrl, webhookSecret, rateLimit, profile].every((value) => value === undefined)) {
    throw new CommandError('no setting given; see billing-sim settings set --help', 'usage');
  }
  return outputOf(
    await call('patch', '/accounts/{account}/settings', {
      body: {
        webhook_url: webhookUrl === 'none' ? null : webhookUrl,
        webhook_secret: webhookSecret,
        rate_limit: rateLimit === undefined ? undefined : rateLimit === 'on',
        profile: await readProfile(profile),
      },
    }),
  );
}

function outputOf(settings: Settings): CommandOutput {
  const choices = Object.entries(settings.profile).map(([gap, choice]) => [
    `profile  ${gap}`,
    typeof choice === 'string' ? choice : JSON.stringify(choice),
  ]);
  const rows = [
    ['webhook URL', settings.webhook_url ?? 'none'],
    ['webhook secret', settings.webhook_secret],
    ['rate limit', settings.rate_limit ? 'on' : 'off'],
    ...choices,
  ];
  return { value: settings, text: columns(rows) };
}
