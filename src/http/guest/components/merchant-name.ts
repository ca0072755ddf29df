/** The payee as guests read it: `Seaside Inn` for the account `seaside-inn`. */
export function merchantName(account: string): string {
  const words = account.split(/[-_]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
