import { playableIds } from '../../../simulation/scenarios/scenarios.js';
import { scenariosOf } from '../../../simulation/scenarios/triggers.js';
import { type Page, placeOf, readOnlyRequest, type Show } from '../routing/show.js';
import { scenariosPage } from './view.js';

/** Maximum number of runs shown. */
const maxRuns = 25;

/** Maximum number of records suggested to run a scenario on. */
const maxSuggested = 10;

const scenarios: Show = async (context) => {
  const { account, routes } = context;
  const scenarios = await routes.listScenarios(readOnlyRequest(context));
  const runs = await routes.listRuns({ ...readOnlyRequest(context), query: { page: 1, per_page: maxRuns } });
  return scenariosPage(placeOf(context, 'scenarios'), {
    scenarios: scenarios.data,
    runs: runs.data,
    total: runs.total,
    playableIds: new Map(
      scenariosOf(account).map((scenario) => [scenario.name, playableIds(account, scenario).slice(0, maxSuggested)]),
    ),
  });
};

export const scenarioPages: readonly Page[] = [['/scenarios', scenarios]];
