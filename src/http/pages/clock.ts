import { clockPage } from '../../pages/clock.js';
import { type Page, placeOf, reading, type Show } from './show.js';

/** How much of the agenda is shown. */
const limit = 25;

const clock: Show = async (asked) => {
  const { routes } = asked;
  const agenda = await routes.getAgenda({ ...reading(asked), query: { limit } });
  return clockPage(placeOf(asked, 'clock'), await routes.getClock(reading(asked)), agenda);
};

export const clockPages: readonly Page[] = [['/clock', clock]];
