import { instant } from '../../../domain/dates.js';
import { type Page, placeOf, reading, type Show } from '../routing/show.js';
import { clockPage } from './view.js';

/** How much of the agenda is shown. */
const most = 25;

const clock: Show = async (asked) => {
  const { account, routes } = asked;
  // One more tells that there is more; to count all of it would take long.
  const upcoming = account.schedule.upcoming(most + 1);
  return clockPage(placeOf(asked, 'clock'), await routes.getClock(reading(asked)), {
    items: upcoming.slice(0, most).map(({ at, kind, id }) => ({ at: instant(at), kind, id })),
    isCut: upcoming.length > most,
    underWay: account.unsettled,
  });
};

export const clockPages: readonly Page[] = [['/clock', clock]];
