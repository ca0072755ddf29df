import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PaceOption } from '../../contract/engine/pace.js';
import { readHttpUrl, readNumber, readPort, readTimeout } from '../support/arguments.js';

/** What is said of a target: the commands of the suite have it in common. */
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

/** Adds the options that say what the target is, and how it is asked. */
export function addTargetOptions(command: Command): Command {
  return command
    .addOption(
      inEnv('BILLING_BASE_URL', '--base-url <url>', 'the implementation: ends with /api/v1').argParser(readBase),
    )
    .addOption(inEnv('BILLING_TOKEN', '--token <token>', 'a token with both scopes'))
    .addOption(inEnv('BILLING_READ_TOKEN', '--read-token <token>', 'one with billing.read alone'))
    .addOption(inEnv('BILLING_WRITE_TOKEN', '--write-token <token>', 'one with billing.write alone'))
    .addOption(
      inEnv('BILLING_SCOPELESS_TOKEN', '--scopeless-token <token>', 'one without a scope, where there are such'),
    )
    .option('--customer-id <number>', 'a customer to make invoices for, where no driver makes one', readNumber)
    .option('--driver <file>', 'module that does what the API cannot; none for none (default: that of a simulator)')
    .addOption(inEnv('BILLING_SIM_CONTROL_TOKEN', '--control-token <token>', 'that of the simulator, if it has one'))
    .addOption(inEnv('BILLING_WEBHOOK_SECRET', '--webhook-secret <text>', 'what the target signs webhooks with'))
    .option('--webhook-port <number>', 'where to listen for webhooks (default: a free port, for the driver)', readPort)
    .option('--write', 'create records, and have the driver act, beyond this machine, too')
    .option('--no-write', 'only read, on this machine, too')
    .addOption(
      new Option('--pace <pace>', 'auto keeps within the limit that is announced, off does not; or requests a minute')
        .argParser(readPace)
        .default('auto'),
    )
    .addOption(
      new Option('--timeout <span>', 'how long an answer may take; a method of the driver has three times as long')
        .argParser(readTimeout)
        .default(10_000, '10s'),
    )
    .option('--include <checks...>', 'what is left out otherwise: rate-limit exceeds the limit', readCheck)
    .option('--config <file>', 'options by their names (YAML or JSON)');
}

/** Adds the options of `billing-sim contract`. */
export function addContractOptions(command: Command): Command {
  return addTargetOptions(command)
    .option('--strict', 'have inferred clauses fail, too')
    .option('--only <ids...>', 'clauses or sections to check, such as INV-STATS-02 or HOOK')
    .option('--waivers <file>', 'breaches that are put up with (YAML): a list of clause, reason and until')
    .option('--json <file>', 'write the report as JSON; - prints it')
    .option('--resume <file>', 'continue the interrupted run whose JSON report this is, with the same options')
    .option('--junit <file>', 'write the report as JUnit XML')
    .option('--html <file>', 'write the report as a page')
    .option('--list', 'print the clauses, and check nothing')
    .option('--dry-run', 'tell what would be checked, and in how many requests; nothing is changed');
}

/** An option that may stand in the environment. A variable that is set to nothing is none. */
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
  if (pace === 0) throw new InvalidArgumentError('it must be auto, off or a number of requests a minute');
  return pace;
}

function readCheck(text: string, before: readonly string[] = []): string[] {
  if (text !== 'rate-limit') throw new InvalidArgumentError('it must be rate-limit');
  return [...before, text];
}
