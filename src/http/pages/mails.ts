import { mailPage, mailsPage } from '../../pages/mails.js';
import { getMail, mailStatus } from '../../simulation/mails.js';
import { mailSummary } from '../control/views.js';
import { framed } from './answer.js';
import { pageOf } from './list.js';
import { type Page, placeOf, reading, type Show } from './show.js';

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
