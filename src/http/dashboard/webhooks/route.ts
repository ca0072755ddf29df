import { type Delivery, eventNames } from '../../../domain/records.js';
import type { Account } from '../../../simulation/account.js';
import { deliveryStatus } from '../../../simulation/delivery/deliveries.js';
import { deliveryDueAt } from '../../../simulation/state/apply-changes.js';
import { subjectName } from '../../../text/format.js';
import { deliverySummary } from '../../control/deliveries.js';
import type { ResultOf } from '../../control/operations.js';
import { formParamsOf } from '../routing/form.js';
import { type ListSource, listPageOf } from '../routing/list.js';
import { createExportRoutes } from '../routing/list-export.js';
import { operationInput, type PageContext, type PageHandler, type PageRoute } from '../routing/page.js';
import { relatedActivity } from '../routing/related-activity.js';
import { deliveryPage, type SignatureCheck } from './delivery-view.js';
import { failedDeliveries, maxResendsPerClick } from './resend-deliveries.js';
import { checkSignatures } from './signature-check.js';
import { webhooksPage } from './view.js';

export const deliveryList = (account: Account): ListSource<Delivery> => ({
  rows: account.deliveries.rows,
  rowPositionsInTimeOrder: () => account.deliveries.rowPositionsInTimeOrder(({ created_at }) => created_at),
  searchTextsOf: ({ id, event, subject }) => [id, event, String(subject.id)],
  statusOf: (delivery) => deliveryStatus(account, delivery),
  exportedFields: {
    id: ({ id }) => id,
    event: ({ event }) => event,
    record: ({ subject }) => subjectName(subject),
    status: (delivery) => deliveryStatus(account, delivery),
    attempts: ({ id }) => account.attemptsOfDelivery.all(id).length,
    url: ({ url }) => url,
    created_at: ({ created_at }) => created_at,
    next_attempt_at: (delivery) => deliveryDueAt(account, delivery),
  },
});

const showWebhooks: PageHandler = (context) => {
  const { account } = context;
  const { rows, ...listPage } = listPageOf(context.query, deliveryList(context.account));
  return webhooksPage(context.location, {
    url: account.record.webhook_url,
    events: eventNames,
    failedCount: failedDeliveries(account).length,
    maxResendsPerClick,
    rows: rows.map((delivery) => deliverySummary(account, delivery)),
    ...listPage,
  });
};

const showDelivery: PageHandler = (context) => renderDelivery(context, () => undefined);

/**
 * The page of a delivery with the result of a signature check. The secret is sent in the body, so that no log contains
 * it.
 */
const showSignatureCheck: PageHandler = (context) =>
  renderDelivery(context, (record) => {
    const secret = formParamsOf(context.request).get('secret') ?? '';
    if (secret === '') return { error: 'Enter a secret.' };
    return { attempts: checkSignatures(record, secret, context.account.profile) };
  });

async function renderDelivery(
  context: PageContext,
  check: (delivery: ResultOf<'getDelivery'>) => SignatureCheck | undefined,
): Promise<string> {
  const { account, controlApi } = context;
  const record = await controlApi.getDelivery(operationInput(context));
  return deliveryPage(context.location, record, {
    related: relatedActivity(account, `delivery:${record.id}`),
    check: check(record),
  });
}

export const webhookPages: readonly PageRoute[] = [
  ['/webhooks', showWebhooks],
  ['/webhooks/:idOrName', showDelivery],
  ['/webhooks/:idOrName', showSignatureCheck, 'post'],
  ...createExportRoutes('webhooks', deliveryList),
];
