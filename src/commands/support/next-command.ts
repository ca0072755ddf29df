/** Account of commands without `--account`. */
export const defaultAccount = 'demo';

/**
 * Formats a command for the user to run next: `billing-sim fault clear 1 --account hotel`.
 * @param account account of the command that prints it; empty if it is not about a single account
 */
export function nextCommand(words: string, account: string): string {
  const option = account === '' || account === defaultAccount ? '' : ` --account ${account}`;
  return `billing-sim ${words}${option}`;
}
