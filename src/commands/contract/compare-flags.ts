import { Command, type Option } from 'commander';
import type { CliOptions } from '../../contract/engine/open-session.js';
import { isLoopback } from '../../lib/loopback.js';
import { markRepeatable } from '../support/arguments.js';
import { CommandError } from '../support/command-error.js';
import { addContractOptions, type ContractFlags } from './contract-flags.js';

/** Options of `contract` that may have a different value for each implementation. */
const perTargetOptions = [
  'base-url',
  'token',
  'read-token',
  'write-token',
  'scopeless-token',
  'customer-id',
  'driver',
  'control-token',
  'webhook-secret',
  'webhook-port',
];

/** Options of `contract` with one value for both implementations. */
const sharedOptions = ['write', 'no-write', 'pace', 'timeout', 'webhook-timeout', 'strict', 'include', 'only', 'json'];

/** The options in `perTargetOptions`, by the names of their properties in `ContractFlags`. */
type PerTargetFlag =
  | 'baseUrl'
  | 'token'
  | 'readToken'
  | 'writeToken'
  | 'scopelessToken'
  | 'customerId'
  | 'driver'
  | 'controlToken'
  | 'webhookSecret'
  | 'webhookPort';

/**
 * Values for the two implementations, in order. A single value applies to both, and undefined leaves the option out.
 */
type PerTarget<Flags> = { readonly [Name in keyof Flags]?: readonly (Flags[Name] | undefined)[] };

export type CompareFlags = PerTarget<Pick<ContractFlags, PerTargetFlag>> &
  Pick<ContractFlags, 'write' | 'pace' | 'timeout' | 'webhookTimeout' | 'strict' | 'include' | 'only' | 'json'> & {
    readonly noise?: true;
  };

/** Adds the options of `compare`: the options of `contract` that describe targets or checks, and `--noise`. */
export function addCompareOptions(command: Command): Command {
  for (const option of addContractOptions(new Command()).options) {
    const name = option.long?.slice(2) ?? '';
    if (perTargetOptions.includes(name)) command.addOption(collectValues(option));
    if (sharedOptions.includes(name)) command.addOption(option);
  }
  return command.option('--noise', 'also list what differs from run to run');
}

/** Value of an option that leaves it out for one of the implementations. */
const noValue = '-';

/** Lets an option be repeated, and collects its values; undefined for `noValue`. */
function collectValues(option: Option): Option {
  const { parseArg } = option;
  return markRepeatable(
    option.argParser((text: string, earlier: readonly unknown[] = []) => {
      if (text === noValue) return [...earlier, undefined];
      return [...earlier, parseArg ? parseArg(text, undefined) : text];
    }),
  );
}

/**
 * Reads the options for each of the two implementations.
 * @throws CommandError if a required option is missing, an option is given too many times, or both implementations are
 * the same
 */
export function readOptionsOfBoth(flags: CompareFlags): { readonly a: CliOptions; readonly b: CliOptions } {
  const urls = (flags.baseUrl ?? []).filter((url) => url !== undefined);
  const [urlA, urlB] = urls;
  if (urlA === undefined || urlB === undefined || urls.length > 2) {
    throw new CommandError(`expected two implementations, each given with --base-url, but got ${urls.length}`, 'usage');
  }
  const [a, b] = [readOptionsOf(0, urlA, flags), readOptionsOf(1, urlB, flags)];
  if (a.baseUrl === b.baseUrl && a.token === b.token) {
    throw new CommandError(`nothing to compare: both are ${a.baseUrl} with the same token`, 'usage');
  }
  // The same checks must run on both, so the suite writes only if it may write to both.
  const write = flags.write ?? [a, b].every(({ baseUrl }) => isLoopback(new URL(baseUrl).hostname));
  return { a: { ...a, write }, b: { ...b, write } };
}

/** Reads the options for one implementation. @param index 0 for the first `--base-url`, 1 for the second */
function readOptionsOf(index: 0 | 1, baseUrl: string, flags: CompareFlags): CliOptions {
  const { pace, timeout, webhookTimeout, strict, include, only } = flags;
  const valueFor = <Value>(name: string, values: readonly (Value | undefined)[] = []): Value | undefined => {
    if (values.length > 2) throw tooManyError(name);
    return values.length === 1 ? values[0] : values[index];
  };
  const token = valueFor('token', flags.token);
  if (token === undefined) {
    throw new CommandError(
      `no token for ${baseUrl}; pass a token that has both scopes: --token once for both implementations, or once for each`,
      'usage',
    );
  }
  return {
    baseUrl,
    token,
    readToken: valueFor('read-token', flags.readToken),
    writeToken: valueFor('write-token', flags.writeToken),
    scopelessToken: valueFor('scopeless-token', flags.scopelessToken),
    customerId: valueFor('customer-id', flags.customerId),
    driver: valueFor('driver', flags.driver),
    controlToken: valueFor('control-token', flags.controlToken),
    webhookSecret: valueFor('webhook-secret', flags.webhookSecret),
    webhookPort: valueFor('webhook-port', flags.webhookPort),
    pace,
    timeout,
    strict,
    include,
    only,
    eventuallyTimeoutMs: webhookTimeout,
  };
}

function tooManyError(name: string): CommandError {
  return new CommandError(
    `--${name} is given more than twice; give it once for both implementations, or once for each`,
    'usage',
  );
}
