import { instant } from '../../../domain/dates.js';
import { locationOf, type Page, type PageHandler, readOnlyRequest } from '../routing/page.js';
import { clockPage } from './view.js';

/** Maximum number of agenda items shown. */
const maxAgendaItems = 25;

const clock: PageHandler = async (context) => {
  const { account, routes } = context;
  // One more shows whether there are more; counting all would take long.
  const upcoming = account.schedule.upcoming(maxAgendaItems + 1);
  return clockPage(locationOf(context, 'clock'), await routes.getClock(readOnlyRequest(context)), {
    items: upcoming.slice(0, maxAgendaItems).map(({ at, kind, id }) => ({ at: instant(at), kind, id })),
    hasMore: upcoming.length > maxAgendaItems,
    inProgress: account.unsettled,
  });
};

export const clockPages: readonly Page[] = [['/clock', clock]];
