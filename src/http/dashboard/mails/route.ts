import { getMail, mailStatus } from '../../../simulation/delivery/mails.js';
import { mailSummary } from '../../control/views.js';
import { framed } from '../routing/answer.js';
import { pageOf } from '../routing/list.js';
import { type Page, placeOf, reading, type Show } from '../routing/show.js';
import { mailPage, mailsPage } from './view.js';

const mails: Show = (asked) => {
  const { rows, ...found } = pageOf(asked.account.mails, asked.search, {
    timeOf: ({ created_at }) => created_at,
    textsOf: ({ subject, to }) => [subject, to],
    statusOf: mailStatus,
  });
  return mailsPage(placeOf(asked, 'mails'), { ...found, rows: rows.map(mailSummary) });
};

const mail: Show = async (asked) => mailPage(placeOf(asked, 'mails'), await asked.routes.getMail(reading(asked)));

const mailHtml: Show = (asked) => framed(getMail(asked.account, reading(asked).id).html);

export const mailPages: readonly Page[] = [
  ['/mails', mails],
  ['/mails/:name', mail],
  ['/mails/:name/html', mailHtml],
];
