import { Command, Option } from 'commander';
import { type Durability, type RunningServer, startServer } from '../../app/server.js';
import { formatInstant } from '../../domain/dates.js';
import type { Scenario } from '../../domain/scenario.js';
import { ServiceError } from '../../domain/service-error.js';
import { readSeed } from '../../files/seed-file.js';
import type { components } from '../../generated/control-validated-types.js';
import { flushCompileCache } from '../../lib/compile-cache.js';
import { shellWord } from '../../lib/messages.js';
import { addMissingScheme, addMissingSmtpScheme } from '../../lib/missing-scheme.js';
import { whenAborted } from '../../lib/when-aborted.js';
import { nextCommand, urlUnlessDefault } from '../../text/next-command.js';
import {
  readControlToken,
  readDateOrTime,
  readHostName,
  readPort,
  repeatable,
  withChoices,
} from '../support/arguments.js';
import { CommandError } from '../support/command-error.js';
import { example } from '../support/help-text.js';
import { listenError } from '../support/listen-error.js';
import { onOneLine } from '../support/output.js';
import { readProfile } from '../support/read-profile.js';
import { stopOnSignal } from '../support/stop-signal.js';
import { printText } from '../support/style.js';
import { requestCells } from './request-cells.js';

type LoggedRequest = components['schemas']['LoggedRequest'];

interface StartFlags {
  readonly port: number;
  readonly host: string;
  readonly allowHost: readonly string[];
  readonly cors: readonly string[];
  readonly data: string;
  readonly memory?: true;
  readonly seed: string;
  readonly profile?: string;
  readonly now?: string;
  readonly randomSeed?: string;
  readonly rateLimit: 'on' | 'off';
  readonly durability: Durability;
  readonly acceptRollback?: true;
  readonly controlToken?: string;
  readonly webhookUrl?: string;
  readonly webhookSecret?: string;
  readonly smtp?: string;
  readonly scenario: readonly string[];
  readonly publicUrl?: string;
  readonly logRequests?: true;
  readonly json?: true;
}

/** Delay between the start and the saving of compiled code, so that the first requests do not wait for it. */
const flushDelayMs = 2_000;

export function createCommand(): Command {
  return new Command('start')
    .description('start the simulator')
    .option('--port <number>', 'port to listen on; 0 picks a free one', readPort, 4010)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(repeatable('--allow-host <name>', 'additional host name to accept', readHostName).default([]))
    .addOption(
      repeatable('--cors <origin>', 'allow web pages of this origin (* for all) to call the service').default([]),
    )
    .addOption(new Option('--data <folder>', 'folder to keep the data in').default('.billing-sim').conflicts('memory'))
    .option('--memory', 'keep the data in memory only')
    .option('--seed <demo|empty|file>', 'initial records of a new account: demo, empty, or a JSON or YAML file', 'demo')
    .option('--profile <file>', 'choices of the demo account for the gaps in the specification (YAML)')
    .option(
      '--now <time>',
      'freeze the clock of the demo account at this ISO 8601 time, or at midnight UTC of a date',
      readDateOrTime,
    )
    .option(
      '--random-seed <text>',
      'derive ids, tokens and webhook secrets from this text; the same text gives the same values',
    )
    .addOption(
      withChoices(new Option('--rate-limit <mode>', 'enforce the rate limit'), ['on', 'off']).default(
        'on',
        'on, or as stored in the data folder',
      ),
    )
    .addOption(
      withChoices(
        new Option(
          '--durability <level>',
          'crashes that acknowledged writes survive: os = of the process, disk = of the process or the machine',
        ),
        ['os', 'disk'],
      )
        .default('os')
        .conflicts('memory'),
    )
    .addOption(
      new Option(
        '--accept-rollback',
        'start even if files of the data folder were deleted or replaced by older ones',
      ).conflicts('memory'),
    )
    .option('--control-token <token>', 'require this bearer token on requests to /_sim', readControlToken)
    .option('--webhook-url <url>', 'URL to send webhooks to; none removes a stored URL')
    .option('--webhook-secret <text>', 'secret that webhooks are signed with')
    .option(
      '--smtp <url>',
      'SMTP server to send emails through, for example smtp://127.0.0.1:1025',
      addMissingSmtpScheme,
    )
    .addOption(
      repeatable('--scenario <file>', 'additional scenario file (YAML); it may replace a built-in scenario').default(
        [],
      ),
    )
    .option(
      '--public-url <url>',
      'public URL of the simulator behind a reverse proxy, used in the links it returns',
      addMissingScheme,
    )
    .option('--log-requests', 'print each request to the service, of all accounts, when it is answered')
    .option('--json', 'print one line of JSON when ready, and with --log-requests one for each request')
    .addHelpText('after', example('start --memory --port 0 --now 2026-03-01T09:00:00Z --rate-limit off'))
    .action(run);
}

async function run(flags: StartFlags, command: Command): Promise<void> {
  const stopSignal = stopOnSignal();
  const choices = await readProfile(flags.profile);
  const server = await startServer({
    port: flags.port,
    host: flags.host,
    allowedHosts: flags.allowHost,
    cors: flags.cors,
    controlToken: flags.controlToken,
    folder: flags.memory ? undefined : flags.data,
    durability: flags.durability,
    acceptRollback: flags.acceptRollback,
    seed: (profile) => readSeed(flags.seed, profile),
    choices,
    now: flags.now,
    randomSeed: flags.randomSeed,
    // The default applies only to a new account: a stored one keeps its setting.
    rateLimit: command.getOptionValueSource('rateLimit') === 'default' ? undefined : flags.rateLimit === 'on',
    webhookUrl: flags.webhookUrl === 'none' ? null : flags.webhookUrl,
    webhookSecret: flags.webhookSecret,
    smtp: flags.smtp,
    scenarios: await readScenarioFiles(flags.scenario),
    publicUrl: flags.publicUrl,
    logRequest: flags.logRequests && ((request, account) => printRequest(request, account, flags.json)),
    log: (line) => console.error(line),
  }).catch((error: unknown) => {
    throw commandErrorOf(error, flags);
  });
  // Warns only about `--seed` on the command line: a seed in the environment or a configuration file usually stays
  // there for all starts, so a warning would appear on each of them.
  if (!server.isAccountNew && command.getOptionValueSource('seed') === 'cli') {
    console.error(
      `--seed has no effect: ${flags.data} already contains the demo account; choose another folder with --data, or use --memory`,
    );
  }
  const account = server.world.accounts.default();
  const { random_seed: storedRandomSeed } = account.record;
  if (!server.isAccountNew && flags.randomSeed !== undefined && flags.randomSeed !== storedRandomSeed) {
    console.error(
      `--random-seed has no effect on the demo account: ${flags.data} already contains that account; choose another folder with --data, or use --memory`,
    );
  }
  if (server.isNowOptionIgnored) {
    console.error(
      `--now has no effect: the clock of the demo account in ${flags.data} already shows ${formatInstant(account.now())}; choose another folder with --data, or use --memory`,
    );
  }
  console.log(flags.json ? JSON.stringify(readyInfo(server)) : greeting(server, flags));
  setTimeout(flushCompileCache, flushDelayMs).unref();
  await whenAborted(stopSignal);
  await server.close();
}

function printRequest(request: LoggedRequest, account: string, json: true | undefined): void {
  if (json) console.log(JSON.stringify({ account, ...request }));
  else printText(onOneLine([account, ...requestCells(request)].join('  ')));
}

/** Reads scenario files. @throws FileError */
async function readScenarioFiles(paths: readonly string[]): Promise<Scenario[]> {
  if (paths.length === 0) return [];
  // Imported on demand, because the YAML parser is only needed with files.
  const { readScenarios } = await import('../../files/scenario-files.js');
  return readScenarios(paths);
}

function readyInfo({ url, tokens, world }: RunningServer): object {
  const { id: account, record } = world.accounts.default();
  return { url, baseUrl: `${url}/api/v1`, account, tokens: tokens ?? null, webhookSecret: record.webhook_secret };
}

function greeting({ url, tokens, world }: RunningServer, flags: StartFlags): string {
  const token = tokens?.full ?? 'TOKEN';
  const { webhook_url: webhookUrl } = world.accounts.default().record;
  const target = { url: urlUnlessDefault(url) };
  const lines = [
    `billing-sim is listening on ${url}`,
    '',
    `  dashboard ${url}/dashboard`,
    `  service   ${url}/api/v1`,
    `  docs      ${url}/docs`,
    `  data      ${flags.memory ? 'in memory only' : flags.data}`,
    tokens
      ? `  tokens    ${tokens.full} (all scopes), ${tokens.read} (billing.read), ${tokens.write} (billing.write)`
      : `  tokens    shown only once, when they are created; to create another, run \`${nextCommand('token create NAME', target)}\``,
    `  webhooks  ${webhookUrl ?? `none; run \`${nextCommand('listen', target)}\` to receive them`}`,
    '',
    'Try:',
    `  curl -H 'Authorization: Bearer ${token}' ${shellWord(`${url}/api/v1/invoices/stats`)}`,
    '',
    'Press Ctrl-C to stop.',
  ];
  return lines.join('\n');
}

/** Turns an error that the user can fix into a one-line error that says how. Returns other errors unchanged. */
function commandErrorOf(error: unknown, flags: StartFlags): unknown {
  if (error instanceof ServiceError) {
    const hints: Partial<Record<ServiceError['code'], string>> = {
      'clock-too-far': `--now: ${error.hint}`,
      'webhook-url-invalid': `--webhook-url: ${error.hint}`,
    };
    return new CommandError(hints[error.code] ?? error.message);
  }
  return listenError(error, flags);
}
