import { eventNames } from '../../../domain/records.js';
import { deliveryStatus } from '../../../simulation/delivery/deliveries.js';
import { summaryOf } from '../../control/deliveries.js';
import { pageOf } from '../routing/list.js';
import { type Page, placeOf, readOnlyRequest, type Show } from '../routing/show.js';
import { deliveryPage } from './delivery-view.js';
import { webhooksPage } from './view.js';

const webhooks: Show = (context) => {
  const { account } = context;
  const { rows, ...found } = pageOf(account.deliveries, context.search, {
    timeOf: ({ created_at }) => created_at,
    textsOf: ({ id, event, subject }) => [id, event, String(subject.id)],
    statusOf: (delivery) => deliveryStatus(account, delivery),
  });
  return webhooksPage(placeOf(context, 'webhooks'), {
    url: account.record.webhook_url,
    events: eventNames,
    rows: rows.map((delivery) => summaryOf(account, delivery)),
    ...found,
  });
};

const delivery: Show = async (context) =>
  deliveryPage(placeOf(context, 'webhooks'), await context.routes.getDelivery(readOnlyRequest(context)));

export const webhookPages: readonly Page[] = [
  ['/webhooks', webhooks],
  ['/webhooks/:name', delivery],
];
