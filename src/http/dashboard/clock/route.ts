import { nextAgendaEntries } from '../routing/agenda-entries.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { clockPage } from './view.js';

/** Maximum number of agenda items shown. */
const maxAgendaItems = 25;

const showClock: PageHandler = (context) => {
  const { account } = context;
  // Reads one more than shown to learn whether there are more, since counting all items would take long.
  const upcoming = nextAgendaEntries(account, maxAgendaItems + 1);
  return clockPage(context.location, {
    items: upcoming.slice(0, maxAgendaItems),
    hasMore: upcoming.length > maxAgendaItems,
    inProgress: account.inProgress.map((id) => ({ id, event: account.deliveries.get(id)?.event })),
  });
};

export const clockPages: readonly PageRoute[] = [['/clock', showClock]];
