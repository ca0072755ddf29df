import { getMail, mailStatus } from '../../../simulation/delivery/mails.js';
import { mailSummary } from '../../control/views.js';
import { framed } from '../routing/answer.js';
import { pageOf } from '../routing/list.js';
import { type Page, placeOf, readOnlyRequest, type Show } from '../routing/show.js';
import { mailPage, mailsPage } from './view.js';

const mails: Show = (context) => {
  const { rows, ...found } = pageOf(context.account.mails, context.search, {
    timeOf: ({ created_at }) => created_at,
    textsOf: ({ subject, to }) => [subject, to],
    statusOf: mailStatus,
  });
  return mailsPage(placeOf(context, 'mails'), { ...found, rows: rows.map(mailSummary) });
};

const mail: Show = async (context) =>
  mailPage(placeOf(context, 'mails'), await context.routes.getMail(readOnlyRequest(context)));

const mailHtml: Show = (context) => framed(getMail(context.account, readOnlyRequest(context).id).html);

export const mailPages: readonly Page[] = [
  ['/mails', mails],
  ['/mails/:name', mail],
  ['/mails/:name/html', mailHtml],
];
