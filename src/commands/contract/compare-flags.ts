import { Command, type Option } from 'commander';
import { isLoopbackUrl } from '../../contract/engine/loopback.js';
import type { PlainOptions } from '../../contract/engine/open-session.js';
import { CommandError } from '../support/command-error.js';
import { addContractOptions, type ContractFlags } from './contract-flags.js';

/** Options of `contract` that each implementation may have its own value of. */
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

/** Options of `contract` that apply to both. */
const sharedOptions = ['write', 'no-write', 'pace', 'timeout', 'strict', 'include', 'only', 'json'];

type PerTargetFlag = 'baseUrl' | 'token' | 'readToken' | 'writeToken' | 'scopelessToken' | 'customerId';
type RepeatableFlag = 'driver' | 'controlToken' | 'webhookSecret' | 'webhookPort';

/** Values for the two implementations, in order; undefined for one without a value. */
type PerTarget<Flags> = { readonly [Name in keyof Flags]?: readonly (Flags[Name] | undefined)[] };

export type CompareFlags = PerTarget<Pick<ContractFlags, PerTargetFlag | RepeatableFlag>> &
  Pick<ContractFlags, 'write' | 'pace' | 'timeout' | 'strict' | 'include' | 'only' | 'json'> & {
    readonly noise?: true;
  };

/** Adds the options of `billing-sim compare`, which are those of `contract`. */
export function addCompareOptions(command: Command): Command {
  for (const option of addContractOptions(new Command()).options) {
    const name = option.long?.slice(2) ?? '';
    if (perTargetOptions.includes(name)) command.addOption(allowTwice(option));
    if (sharedOptions.includes(name)) command.addOption(option);
  }
  return command.option('--noise', 'also list what differs from run to run');
}

/** Allows an option once or twice; an empty string counts as not given. */
function allowTwice(option: Option): Option {
  const { parseArg } = option;
  return option.argParser((text: string, before: readonly unknown[] = []) => {
    if (text === '') return [...before, undefined];
    return [...before, parseArg ? parseArg(text, undefined) : text];
  });
}

/**
 * Options for each of the two implementations.
 * @throws CommandError if a required option is missing or given too often
 */
export function optionsOf(flags: CompareFlags): { readonly a: PlainOptions; readonly b: PlainOptions } {
  const { baseUrl: urls = [] } = flags;
  if (urls.length !== 2) {
    throw new CommandError(`expected two implementations, each given with --base-url, but got ${urls.length}`);
  }
  const [a, b] = [optionsAt(0, flags), optionsAt(1, flags)];
  if (a.baseUrl === b.baseUrl && a.token === b.token) {
    throw new CommandError(`nothing to compare: both are ${a.baseUrl} with the same token`);
  }
  // If one of them may not be written to, neither is, so that the two can be compared.
  const write = flags.write ?? (isLoopbackUrl(a.baseUrl) && isLoopbackUrl(b.baseUrl));
  return { a: { ...a, write }, b: { ...b, write } };
}

function optionsAt(index: 0 | 1, flags: CompareFlags): PlainOptions {
  const { pace, timeout, strict, include, only } = flags;
  const own = <Value>(name: string, values: readonly (Value | undefined)[] = []): Value | undefined => {
    if (values.length > 2) throw tooMany(name);
    return values.length === 1 ? values[0] : values[index];
  };
  const token = own('token', flags.token);
  const baseUrl = own('base-url', flags.baseUrl);
  if (baseUrl === undefined) throw new CommandError('--base-url is empty');
  if (token === undefined) {
    throw new CommandError(`no token for ${baseUrl}; pass one with both scopes with --token, once for both or twice`);
  }
  return {
    baseUrl,
    token,
    readToken: own('read-token', flags.readToken),
    writeToken: own('write-token', flags.writeToken),
    scopelessToken: own('scopeless-token', flags.scopelessToken),
    customerId: own('customer-id', flags.customerId),
    driver: own('driver', flags.driver),
    controlToken: own('control-token', flags.controlToken),
    webhookSecret: own('webhook-secret', flags.webhookSecret),
    webhookPort: own('webhook-port', flags.webhookPort),
    ...{ pace, timeout, strict, include, only },
  };
}

function tooMany(name: string): CommandError {
  return new CommandError(
    `--${name} is given more than twice; give it once for both implementations, or once for each`,
  );
}
