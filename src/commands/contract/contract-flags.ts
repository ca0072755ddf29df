import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PaceOption } from '../../contract/engine/pace.js';
import { readHttpUrl, readNumber, readPort, readTimeout } from '../support/arguments.js';

/** Flags that describe a target, shared by the commands of the suite. */
export interface TargetFlags {
  readonly baseUrl?: string;
  readonly token?: string;
  readonly readToken?: string;
  readonly writeToken?: string;
  readonly scopelessToken?: string;
  readonly customerId?: number;
  readonly driver?: string;
  readonly controlToken?: string;
  readonly webhookSecret?: string;
  readonly webhookPort?: number;
  readonly write?: boolean;
  readonly pace: PaceOption;
  /** In milliseconds. */
  readonly timeout?: number;
  readonly include?: readonly string[];
  readonly config?: string;
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
    .addOption(
      inEnv('BILLING_BASE_URL', '--base-url <url>', 'base URL of the implementation, ends with /api/v1').argParser(
        readBase,
      ),
    )
    .addOption(inEnv('BILLING_TOKEN', '--token <token>', 'token with both scopes'))
    .addOption(inEnv('BILLING_READ_TOKEN', '--read-token <token>', 'token with billing.read only'))
    .addOption(inEnv('BILLING_WRITE_TOKEN', '--write-token <token>', 'token with billing.write only'))
    .addOption(
      inEnv(
        'BILLING_SCOPELESS_TOKEN',
        '--scopeless-token <token>',
        'token without scopes, if the target has such tokens',
      ),
    )
    .option('--customer-id <number>', 'customer to create invoices for, if no driver creates one', readNumber)
    .option(
      '--driver <file>',
      'module for actions that the API does not have, or none (default: the driver for simulators)',
    )
    .addOption(
      inEnv('BILLING_SIM_CONTROL_TOKEN', '--control-token <token>', 'control token of the simulator, if it has one'),
    )
    .addOption(inEnv('BILLING_WEBHOOK_SECRET', '--webhook-secret <text>', 'secret that the target signs webhooks with'))
    .option('--webhook-port <number>', 'port to receive webhooks on (default: a free port, for the driver)', readPort)
    .option('--write', 'create records and run driver actions on targets on other machines too')
    .option('--no-write', 'only read, even on this machine')
    .addOption(
      new Option(
        '--pace <pace>',
        'auto keeps within the announced rate limit, off ignores it; or a number of requests per minute',
      )
        .argParser(readPace)
        .default('auto'),
    )
    .addOption(
      new Option('--timeout <duration>', 'maximum time for a response; driver methods get three times as long')
        .argParser(readTimeout)
        .default(10_000, '10s'),
    )
    .option('--include <checks...>', 'include optional checks: rate-limit exceeds the rate limit', readCheck)
    .option('--config <file>', 'read options from this file (YAML or JSON)');
}

/** Adds the options of `billing-sim contract`. */
export function addContractOptions(command: Command): Command {
  return addTargetOptions(command)
    .option('--strict', 'fail on inferred clauses too')
    .option('--only <ids...>', 'clauses or sections to check, for example INV-STATS-02 or HOOK')
    .option('--waivers <file>', 'accepted violations (YAML): a list of clause, reason and until')
    .option('--json <file>', 'write the report as JSON; - prints it')
    .option('--resume <file>', 'resume the interrupted run of this JSON report, with the same options')
    .option('--junit <file>', 'write the report as JUnit XML')
    .option('--html <file>', 'write the report as an HTML page')
    .option('--list', 'print the clauses without checking them')
    .option('--dry-run', 'show what would be checked and in how many requests, without changing anything');
}

/** An option that can also be set by an environment variable. An empty variable counts as not set. */
function inEnv(variable: string, flags: string, description: string): Option {
  const option = new Option(flags, description);
  return process.env[variable] === '' ? option : option.env(variable);
}

function readBase(text: string): string {
  return readHttpUrl(text).href.replace(/\/+$/, '');
}

function readPace(text: string): PaceOption {
  if (text === 'auto' || text === 'off') return text;
  const pace = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (pace === 0) throw new InvalidArgumentError('expected auto, off or a number of requests per minute');
  return pace;
}

function readCheck(text: string, before: readonly string[] = []): string[] {
  if (text !== 'rate-limit') throw new InvalidArgumentError('expected rate-limit');
  return [...before, text];
}
