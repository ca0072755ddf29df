import { Command, type Option } from 'commander';
import type { FileDriverOptions } from '../../contract/engine/open-session.js';
import { isLoopback } from '../../lib/loopback.js';
import { markRepeatable } from '../support/arguments.js';
import { CommandError } from '../support/command-error.js';
import { addContractOptions, type ContractFlags } from './contract-flags.js';

/** Options of `contract` that may have a different value for each implementation. */
const perTargetOptions = [
  'baseUrl',
  'token',
  'readToken',
  'writeToken',
  'scopelessToken',
  'otherAccountToken',
  'customerId',
  'driver',
  'controlToken',
  'webhookSecret',
  'webhookPort',
] as const;

/** Options of `contract` with one value for both implementations. */
const sharedOptions = ['write', 'pace', 'timeout', 'webhookTimeout', 'strict', 'include', 'only', 'json'] as const;

type PerTargetOption = (typeof perTargetOptions)[number];

/**
 * Values for the two implementations, in order. A single value applies to both, and undefined leaves the option out.
 */
type PerTarget<Flags> = { readonly [Name in keyof Flags]?: readonly (Flags[Name] | undefined)[] };

export type CompareFlags = PerTarget<Pick<ContractFlags, PerTargetOption>> &
  Pick<ContractFlags, (typeof sharedOptions)[number]> & { readonly noise?: true };

/** Adds the options of `compare`: the options of `contract` that describe targets or checks, and `--noise`. */
export function addCompareOptions(command: Command): Command {
  for (const option of addContractOptions(new Command()).options) {
    const name = option.attributeName();
    if (perTargetOptions.some((each) => each === name)) command.addOption(collectValues(option));
    if (sharedOptions.some((each) => each === name)) command.addOption(option);
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
 * @throws CommandError if a required option is missing, an option is given too many times, or both implementations or
 * their webhook ports are the same
 */
export function readOptionsOfBoth(flags: CompareFlags): {
  readonly a: FileDriverOptions;
  readonly b: FileDriverOptions;
} {
  const urls = (flags.baseUrl ?? []).filter((url) => url !== undefined);
  const [urlA, urlB] = urls;
  if (urlA === undefined || urlB === undefined || urls.length > 2) {
    throw new CommandError(`expected two implementations, each given with --base-url, but got ${urls.length}`, 'usage');
  }
  const repeated = perTargetOptions.find((name) => (flags[name] ?? []).length > 2);
  if (repeated !== undefined) {
    const flag = repeated.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new CommandError(
      `--${flag} is given more than twice; give it once for both implementations, or once for each`,
      'usage',
    );
  }
  const [a, b] = [readOptionsOf(0, urlA, flags), readOptionsOf(1, urlB, flags)];
  if (a.baseUrl === b.baseUrl && a.token === b.token) {
    throw new CommandError(`nothing to compare: both are ${a.baseUrl} with the same token`, 'usage');
  }
  // The same checks must run on both, so the suite writes only if it may write to both.
  const write = flags.write ?? [a, b].every(({ baseUrl }) => isLoopback(new URL(baseUrl).hostname));
  // Both runs receive webhooks at the same time. Port 0 picks a free port for each.
  const { webhookPort } = a;
  if (write && webhookPort && webhookPort === b.webhookPort) {
    throw new CommandError(
      `the two implementations cannot both send webhooks to port ${webhookPort}; give --webhook-port once for each, with different ports`,
      'usage',
    );
  }
  return { a: { ...a, write }, b: { ...b, write } };
}

/** Reads the options for one implementation. @param index 0 for the first `--base-url`, 1 for the second */
function readOptionsOf(index: 0 | 1, baseUrl: string, flags: CompareFlags): FileDriverOptions {
  const { pace, timeout, webhookTimeout, strict, include, only } = flags;
  const valueFor = <Value>(values: readonly Value[] = []): Value | undefined =>
    values.length === 1 ? values[0] : values[index];
  const token = valueFor(flags.token);
  if (token === undefined) {
    throw new CommandError(
      `no token for ${baseUrl}; pass a token that has both scopes: --token once for both implementations, or once for each`,
      'usage',
    );
  }
  return {
    baseUrl,
    token,
    readToken: valueFor(flags.readToken),
    writeToken: valueFor(flags.writeToken),
    scopelessToken: valueFor(flags.scopelessToken),
    otherAccountToken: valueFor(flags.otherAccountToken),
    customerId: valueFor(flags.customerId),
    driver: valueFor(flags.driver),
    controlToken: valueFor(flags.controlToken),
    webhookSecret: valueFor(flags.webhookSecret),
    webhookPort: valueFor(flags.webhookPort),
    pace,
    timeout,
    strict,
    include,
    only,
    eventuallyTimeoutMs: webhookTimeout,
  };
}
