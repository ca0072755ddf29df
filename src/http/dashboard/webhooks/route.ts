import { eventNames } from '../../../domain/records.js';
import { deliveryStatus } from '../../../simulation/delivery/deliveries.js';
import { summaryOf } from '../../control/deliveries.js';
import { pageOf } from '../routing/list.js';
import { type Page, placeOf, reading, type Show } from '../routing/show.js';
import { deliveryPage } from './delivery-view.js';
import { webhooksPage } from './view.js';

const webhooks: Show = (asked) => {
  const { account } = asked;
  const { rows, ...found } = pageOf(account.deliveries, asked.search, {
    timeOf: ({ created_at }) => created_at,
    textsOf: ({ id, event, subject }) => [id, event, String(subject.id)],
    statusOf: (delivery) => deliveryStatus(account, delivery),
  });
  return webhooksPage(placeOf(asked, 'webhooks'), {
    url: account.record.webhook_url,
    events: eventNames,
    rows: rows.map((delivery) => summaryOf(account, delivery)),
    ...found,
  });
};

const delivery: Show = async (asked) =>
  deliveryPage(placeOf(asked, 'webhooks'), await asked.routes.getDelivery(reading(asked)));

export const webhookPages: readonly Page[] = [
  ['/webhooks', webhooks],
  ['/webhooks/:name', delivery],
];
