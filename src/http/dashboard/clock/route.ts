import { formatInstant } from '../../../domain/dates.js';
import { locationOf, operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { clockPage } from './view.js';

/** Maximum number of agenda items shown. */
const maxAgendaItems = 25;

const clock: PageHandler = async (context) => {
  const { account, controlApi } = context;
  // Reads one more than shown to learn whether there are more, since counting all items would take long.
  const upcoming = account.schedule.upcoming(maxAgendaItems + 1);
  return clockPage(locationOf(context, 'clock'), await controlApi.getClock(operationInput(context)), {
    items: upcoming.slice(0, maxAgendaItems).map(({ at, kind, id }) => ({ at: formatInstant(at), kind, id })),
    hasMore: upcoming.length > maxAgendaItems,
    inProgress: account.unsettled,
  });
};

export const clockPages: readonly PageRoute[] = [['/clock', clock]];
