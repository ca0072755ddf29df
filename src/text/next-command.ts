import { defaultAccountId, defaultUrl } from '../domain/defaults.js';
import { shellWord } from '../lib/messages.js';

/** Simulator and account that a command is about. */
export interface CommandTarget {
  /** Account that the command is about; omitted if it is not about a single account. */
  readonly account?: string;
  /** URL of the simulator; omitted if the command finds it without the option `--url`. */
  readonly url?: string | undefined;
}

/** Formats a command for the user to run next: `billing-sim fault clear 1 --account hotel`. */
export function nextCommand(words: string, { account = '', url }: CommandTarget): string {
  const accountOption = account === '' || account === defaultAccountId ? '' : ` --account ${account}`;
  const urlOption = url === undefined ? '' : ` --url ${shellWord(url)}`;
  return `billing-sim ${words}${accountOption}${urlOption}`;
}

/** Returns the URL of a simulator for `nextCommand`: undefined if commands find it without the option `--url`. */
export function urlUnlessDefault(url: string): string | undefined {
  return url === defaultUrl ? undefined : url;
}
