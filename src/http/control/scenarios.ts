import type { Scenario, ScenarioSubject } from '../../domain/scenario.js';
import { invalidField } from '../../domain/service-error.js';
import type { Account } from '../../simulation/account.js';
import { faultContextOf } from '../../simulation/faults/faults.js';
import { cancelRun, deleteScenario, getRun, getScenario, startScenario } from '../../simulation/scenarios/scenarios.js';
import { scenariosOf } from '../../simulation/scenarios/triggered-runs.js';
import { subjectName } from '../../text/format.js';
import type { BodyOf, ControlRoutes, ResultOf } from './operations.js';
import { pageOf } from './pagination.js';
import { readRecordId, withFieldErrors } from './parse-fields.js';
import { runView } from './views.js';

export const scenarioRoutes = {
  listScenarios: ({ account, query }) =>
    pageOf(query, { rows: scenariosOf(account), view: (scenario) => scenarioView(account, scenario) }),

  getScenario: ({ account, name }) => scenarioView(account, getScenario(account, name)),

  putScenario: async ({ account, name, body, logDetails }) => {
    if (body.name !== undefined && body.name !== name) {
      throw invalidField('name', 'custom', { message: `name must be ${name}, as in the path` });
    }
    // Loaded on first use: a simulator that starts without scenario files does not need it.
    const { compileScenario } = await import('../../files/scenario-files.js');
    const scenario = withFieldErrors(() => compileScenario({ ...body, name }, faultContextOf(account)));
    logDetails(name);
    account.transaction((tx) => tx.put({ scenarios: [scenario] }));
    // As every handler that awaits something before its changes must do (see `ControlRoutes`).
    await account.whenStored();
    return scenarioView(account, scenario);
  },

  deleteScenario: ({ account, name, logDetails }) => {
    const deleted = scenarioView(account, getScenario(account, name));
    logDetails(name);
    deleteScenario(account, name);
    return deleted;
  },

  runScenario: ({ account, name, body, logDetails }) => {
    const { for: resource } = getScenario(account, name);
    const id = subjectIdOf(resource, body);
    logDetails(`${name} on ${subjectName({ resource, id })}`);
    return runView(startScenario(account, name, id));
  },

  listRuns: ({ account, query }) => pageOf(query, { rows: account.runs.rows, view: runView, newestFirst: true }),

  getRun: ({ account, id }) => runView(getRun(account, id)),

  cancelRun: ({ account, id, logDetails }) => {
    const { scenario, subject } = getRun(account, id);
    logDetails(`run ${id}, ${scenario} on ${subjectName(subject)}`);
    return runView(cancelRun(account, id));
  },
} satisfies Partial<ControlRoutes>;

/**
 * The id of the record to run a scenario on.
 * @throws ServiceError invalid, if the body lacks the id, or has the id of a record of another resource
 */
function subjectIdOf(resource: ScenarioSubject, body: BodyOf<'runScenario'>): number | string {
  for (const field of Object.keys(body)) {
    if (field !== resource) throw invalidField(field, 'additionalProperties', { known: [resource] });
  }
  const id = body[resource];
  if (id === undefined) throw invalidField(resource, 'required');
  return readRecordId(id);
}

function scenarioView(account: Account, { steps, ...scenario }: Scenario): ResultOf<'putScenario'> {
  // `fault` is left out: it is the parsed form of `with`, which is shown as it was written.
  const visibleSteps = steps.map(({ fault: _fault, ...step }) => step);
  return { ...scenario, steps: visibleSteps, own: account.scenarios.has(scenario.name) };
}
