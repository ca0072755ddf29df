import { defaultAccountId } from '../domain/default-account.js';

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
  const urlOption = url === undefined ? '' : ` --url ${url}`;
  return `billing-sim ${words}${accountOption}${urlOption}`;
}
