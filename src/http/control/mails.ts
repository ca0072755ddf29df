import type { Mail } from '../../domain/records.js';
import type { components } from '../../generated/control-validated-types.js';
import type { Account } from '../../simulation/account.js';
import { getMail, mailStatus } from '../../simulation/mails.js';
import type { Feed } from '../stream.js';
import { pageOf } from './page.js';
import type { ControlRoutes } from './routes.js';

export const mailRoutes: Pick<ControlRoutes, 'listMails' | 'getMail'> = {
  listMails: ({ account, query }) => pageOf(query, { rows: account.mails.rows, view: summaryOf, newestFirst: true }),

  getMail: ({ account, id }) => {
    const mail = getMail(account, id);
    const { next_at, ...rest } = mail;
    return { ...rest, next_attempt_at: next_at, status: mailStatus(mail) };
  },
};

export function mailFeed(account: Account): Feed {
  const itemOf = (mail: Mail) => ({ id: String(mail.id), data: summaryOf(mail) });
  return {
    event: 'mail',
    since: (id) => account.mails.rows.filter((mail) => mail.id > Number(id)).map(itemOf),
    watch: (tell) =>
      account.watch((step) => {
        const mail = step.kind === 'mail' ? account.mails.get(step.id) : undefined;
        // One that has been tried is no new one.
        if (mail?.attempts.length === 0) account.stored().then(() => tell(itemOf(mail)), notStored);
      }),
  };
}

/** What could not be stored has not been sent. */
function notStored(): void {}

/** A mail as it stands in a list. */
export function summaryOf(mail: Mail): components['schemas']['MailSummary'] {
  const { text: _text, html: _html, attempts, next_at, ...head } = mail;
  return { ...head, next_attempt_at: next_at, status: mailStatus(mail), attempts: attempts.length };
}
