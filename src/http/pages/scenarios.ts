import type { Subject } from '../../domain/records.js';
import { scenariosPage } from '../../pages/scenarios.js';
import type { Table } from '../../simulation/table.js';
import { type Page, placeOf, reading, type Show } from './show.js';

/** How many runs are shown. */
const limit = 25;

const scenarios: Show = async (asked) => {
  const { account, routes } = asked;
  const listed = await routes.listScenarios({ ...reading(asked), query: { limit } });
  return scenariosPage(placeOf(asked, 'scenarios'), {
    ...listed,
    records: {
      deposit: newest(account.deposits),
      invoice: newest(account.invoices),
      payment_link: newest(account.paymentLinks),
    },
  });
};

/** Ids of a few records, newest first. */
function newest<Row extends { readonly id: number | string }>(records: Table<Row>): Subject['id'][] {
  return records.page({ page: 1, size: 10, newestFirst: true }).rows.map(({ id }) => id);
}

export const scenarioPages: readonly Page[] = [['/scenarios', scenarios]];
