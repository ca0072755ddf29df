import { playableIds } from '../../../simulation/scenarios/scenarios.js';
import { scenariosOf } from '../../../simulation/scenarios/triggers.js';
import { type Page, placeOf, reading, type Show } from '../routing/show.js';
import { scenariosPage } from './view.js';

/** How many runs are shown. */
const limit = 25;

/** How many records are offered to run a scenario on. */
const maxOffered = 10;

const scenarios: Show = async (asked) => {
  const { account, routes } = asked;
  const scenarios = await routes.listScenarios(reading(asked));
  const runs = await routes.listRuns({ ...reading(asked), query: { page: 1, per_page: limit } });
  return scenariosPage(placeOf(asked, 'scenarios'), {
    scenarios: scenarios.data,
    runs: runs.data,
    total: runs.total,
    playableIds: new Map(
      scenariosOf(account).map((scenario) => [scenario.name, playableIds(account, scenario).slice(0, maxOffered)]),
    ),
  });
};

export const scenarioPages: readonly Page[] = [['/scenarios', scenarios]];
