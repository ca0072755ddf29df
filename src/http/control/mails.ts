import type { Mail } from '../../domain/records.js';
import type { Account } from '../../simulation/account.js';
import { getMail } from '../../simulation/delivery/mails.js';
import type { ControlRoutes } from './operations.js';
import { pageOf } from './pagination.js';
import { type Feed, ignoreNotStored, sequenceOf } from './stream.js';
import { mailSummary, mailView } from './views.js';

export const mailRoutes = {
  listMails: ({ account, query }) =>
    pageOf(query, { rows: account.mails.rows, view: (mail) => mailSummary(account, mail), newestFirst: true }),

  getMail: ({ account, id }) => mailView(account, getMail(account, id)),
} satisfies Partial<ControlRoutes>;

/** Streams new emails. Their ids are unique within the account object: a reset or restore replaces it. */
export function mailFeed(account: Account): Feed {
  const itemOf = (mail: Mail) => ({ id: String(mail.id), data: mailSummary(account, mail) });
  return {
    event: 'mail',
    numberedBy: account,
    since: (id) => {
      const last = sequenceOf(id) ?? 0;
      return account.mails.rows.filter((mail) => mail.id > last).map(itemOf);
    },
    watch: (push) =>
      account.watch((step) => {
        const mail = step.kind === 'mail' ? account.mails.get(step.id) : undefined;
        // An email with attempts is not new.
        if (mail?.attempts.length === 0) account.whenStored().then(() => push(itemOf(mail)), ignoreNotStored);
      }),
  };
}
