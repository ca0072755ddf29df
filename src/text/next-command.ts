import { defaultAccountId } from '../domain/default-account.js';

/**
 * Formats a command for the user to run next: `billing-sim fault clear 1 --account hotel`.
 * @param account account that the command is about; empty if it is not about a single account
 */
export function nextCommand(words: string, account: string): string {
  const option = account === '' || account === defaultAccountId ? '' : ` --account ${account}`;
  return `billing-sim ${words}${option}`;
}
