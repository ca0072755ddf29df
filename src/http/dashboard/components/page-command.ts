import { nextCommand, urlUnlessDefault } from '../../../text/next-command.js';
import type { PageContext } from '../routing/page.js';

/** Formats a command about the account and the simulator of a page. */
export function pageCommand({ account, views }: PageContext, words: string): string {
  return nextCommand(words, { account: account.id, url: urlUnlessDefault(views.url()) });
}
