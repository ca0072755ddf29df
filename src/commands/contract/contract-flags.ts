import { type Command, InvalidArgumentError, Option } from 'commander';
import type { FileDriverOptions } from '../../contract/engine/open-session.js';
import type { PaceOption } from '../../contract/engine/pace.js';
import { withoutTrailingSlashes } from '../../lib/path-template.js';
import { readChoice, readHttpUrl, readInteger, readPort, readTimeout } from '../support/arguments.js';
import { CommandError } from '../support/command-error.js';

/** Flags that describe a target, shared by the commands of the suite. */
export interface TargetFlags {
  readonly baseUrl?: string;
  readonly token?: string;
  readonly readToken?: string;
  readonly writeToken?: string;
  readonly scopelessToken?: string;
  readonly otherAccountToken?: string;
  readonly customerId?: number;
  readonly driver?: string;
  readonly controlToken?: string;
  readonly webhookSecret?: string;
  readonly webhookPort?: number;
  /** In milliseconds. */
  readonly webhookTimeout?: number;
  readonly write?: boolean;
  readonly pace: PaceOption;
  /** In milliseconds. */
  readonly timeout?: number;
  readonly include?: readonly string[];
}

export interface ContractFlags extends TargetFlags {
  readonly strict?: true;
  readonly only?: readonly string[];
  readonly waivers?: string;
  readonly json?: string;
  readonly resume?: string;
  readonly junit?: string;
  readonly html?: string;
  readonly list?: true;
  readonly dryRun?: true;
}

/** Adds the options that describe the target and how requests are sent. */
export function addTargetOptions(command: Command): Command {
  return command
    .option('--base-url <url>', 'base URL of the implementation, ending with /api/v1', readBaseUrl)
    .option('--token <token>', 'token with both scopes')
    .option('--read-token <token>', 'token with billing.read only')
    .option('--write-token <token>', 'token with billing.write only')
    .option('--scopeless-token <token>', 'token without scopes, if the target has such tokens')
    .option(
      '--other-account-token <token>',
      'token with both scopes of another account, which must not see or change the records of the first',
    )
    .option(
      '--customer-id <number>',
      'id of the customer to create invoices for, if no driver creates a customer',
      readInteger,
    )
    .option(
      '--driver <file>',
      'driver: a module for actions that the API does not have; none to run without a driver (default: the driver for simulators)',
    )
    .option('--control-token <token>', 'control token of the simulator, if it has one')
    .option('--webhook-secret <text>', 'secret that the target signs webhooks with')
    .option(
      '--webhook-port <number>',
      'port to receive webhooks on; needed only if no driver sets the webhook URL (default: a free port)',
      readPort,
    )
    .option(
      '--webhook-timeout <duration>',
      'how long to wait for a webhook, or for another effect such as a change of status (default: 10s)',
      readTimeout,
    )
    .option('--write', 'create records and run driver actions even if the target is on another machine')
    .option('--no-write', 'only read, even on this machine')
    .addOption(
      new Option('--pace <pace>', 'requests per minute; auto to stay within the announced rate limit, off to ignore it')
        .argParser(readPace)
        .default('auto'),
    )
    .addOption(
      new Option(
        '--timeout <duration>',
        'how long to wait for a response to begin; it may take twice as long in all, and a driver method three times',
      )
        .argParser(readTimeout)
        .default(10_000, '10s'),
    )
    .addOption(
      new Option('--include <checks...>', 'optional checks to include: rate-limit, which exceeds the rate limit')
        .choices(['rate-limit'])
        .argParser(addCheck),
    );
}

/** Adds the options of `billing-sim contract`. */
export function addContractOptions(command: Command): Command {
  return addTargetOptions(command)
    .option('--strict', 'also fail if an inferred clause, which the specification only suggests, is violated')
    .option('--only <ids...>', 'clauses to check, by id or prefix: INV-STATS-02, INV-STATS or INV', addClauses)
    .option('--waivers <file>', 'accepted violations (YAML): a list of entries with clause, reason and until')
    .option('--json <file|->', 'write the report as JSON; - prints it')
    .option('--resume <file>', 'resume the interrupted run that wrote this JSON report, with the same options')
    .option('--junit <file>', 'write the report as JUnit XML')
    .option('--html <file>', 'write the report as an HTML page')
    .addOption(
      new Option('--list', 'print the clauses without checking them').conflicts([
        'dryRun',
        'html',
        'junit',
        'resume',
        'waivers',
      ]),
    )
    .addOption(
      new Option(
        '--dry-run',
        'show what would be checked and in how many requests, without changing anything',
      ).conflicts(['html', 'junit', 'resume', 'waivers']),
    );
}

/** Returns the flags as options of a run. @throws CommandError if the base URL or the token of the target is missing */
export function requireTarget<Flags extends TargetFlags>(
  flags: Flags,
): Flags & Pick<FileDriverOptions, 'baseUrl' | 'token' | 'eventuallyTimeoutMs'> {
  const { baseUrl, token } = flags;
  if (baseUrl === undefined) {
    throw new CommandError(
      'no target; pass its base URL with --base-url, for example https://billing.example/api/v1',
      'usage',
    );
  }
  if (token === undefined) {
    throw new CommandError('no token; pass one with both scopes in BILLING_TOKEN or with --token', 'usage');
  }
  return { ...flags, baseUrl, token, eventuallyTimeoutMs: flags.webhookTimeout };
}

/**
 * Adds the clauses of one value of `--only` to those of the values before it. The value may be a part of a list that
 * the shell split at its spaces: `INV-STATS,` and `LINK-SLUG`.
 * @throws InvalidArgumentError for a value that names no clause: an empty list would select all
 */
export function addClauses(text: string, earlier: readonly string[] = []): string[] {
  const ids = text.split(',').filter((id) => id.trim() !== '');
  if (ids.length === 0) throw new InvalidArgumentError('expected ids of clauses, such as INV-STATS-02 or INV');
  return [...earlier, ...ids];
}

function readBaseUrl(text: string): string {
  return withoutTrailingSlashes(readHttpUrl(text).href);
}

function readPace(text: string): PaceOption {
  if (text === 'auto' || text === 'off') return text;
  const pace = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (pace === 0) throw new InvalidArgumentError('expected auto, off or a positive number of requests per minute');
  return pace;
}

function addCheck(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, readChoice(text, ['rate-limit'])];
}
