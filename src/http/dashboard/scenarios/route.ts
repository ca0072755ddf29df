import { eligibleIds } from '../../../simulation/scenarios/scenarios.js';
import { scenariosOf } from '../../../simulation/scenarios/triggered-runs.js';
import { operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { relatedActivity } from '../routing/related-activity.js';
import { showNewScenario } from './new-scenario.js';
import { runPage, scenariosPage } from './view.js';

/** Maximum number of runs shown. */
const maxRuns = 25;

/** Maximum number of records that are suggested for a scenario. */
const maxSuggestedRecords = 10;

const showScenarios: PageHandler = async (context) => {
  const { account, controlApi } = context;
  const scenarioList = await controlApi.listScenarios(operationInput(context));
  const runs = await controlApi.listRuns({ ...operationInput(context), query: { page: 1, per_page: maxRuns } });
  return scenariosPage(context.location, {
    scenarios: scenarioList.data,
    runs: runs.data,
    total: runs.total,
    eligibleIds: new Map(
      scenariosOf(account).map((scenario) => [
        scenario.name,
        eligibleIds(account, scenario).slice(0, maxSuggestedRecords),
      ]),
    ),
  });
};

const showRun: PageHandler = async (context) => {
  const record = await context.controlApi.getRun(operationInput(context));
  return runPage(context.location, record, relatedActivity(context.account, `run:${record.id}`));
};

export const scenarioPages: readonly PageRoute[] = [
  ['/scenarios', showScenarios],
  ['/scenarios/new', showNewScenario],
  ['/scenarios/runs/:idOrName', showRun],
];
