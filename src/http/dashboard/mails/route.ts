import type { Mail } from '../../../domain/records.js';
import type { Account } from '../../../simulation/account.js';
import { getMail, mailStatus } from '../../../simulation/delivery/mails.js';
import { mailSummary } from '../../control/views.js';
import { type ListSource, listPageOf } from '../routing/list.js';
import { createExportRoutes } from '../routing/list-export.js';
import { operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { relatedActivity } from '../routing/related-activity.js';
import { sandboxedHtmlResponse } from '../routing/responses.js';
import { mailPage, mailsPage } from './view.js';

export const mailList = (account: Account): ListSource<Mail> => ({
  rows: account.mails.rows,
  rowPositionsInTimeOrder: () => account.mails.rowPositionsInTimeOrder(({ created_at }) => created_at),
  searchTextsOf: ({ subject, to }) => [subject, to],
  statusOf: mailStatus,
  exportedFields: {
    id: ({ id }) => id,
    subject: ({ subject }) => subject,
    to: ({ to }) => to,
    invoice_id: ({ invoice_id }) => invoice_id,
    status: mailStatus,
    created_at: ({ created_at }) => created_at,
  },
});

const showMails: PageHandler = (context) => {
  const { rows, ...listPage } = listPageOf(context.query, mailList(context.account));
  return mailsPage(context.location, { ...listPage, rows: rows.map(mailSummary) });
};

const showMail: PageHandler = async (context) => {
  const record = await context.controlApi.getMail(operationInput(context));
  return mailPage(context.location, record, relatedActivity(context.account, `mail:${record.id}`));
};

const showMailHtml: PageHandler = (context) =>
  sandboxedHtmlResponse(getMail(context.account, operationInput(context).id).html);

export const mailPages: readonly PageRoute[] = [
  ['/mails', showMails],
  ['/mails/:idOrName', showMail],
  ['/mails/:idOrName/html', showMailHtml],
  ...createExportRoutes('mails', mailList),
];
