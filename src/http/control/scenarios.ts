import { invalid } from '../../domain/refusal.js';
import type { Account } from '../../simulation/account.js';
import type { Run, Scenario, ScenarioSubject } from '../../simulation/scenario.js';
import { cancelRun, getScenario, startScenario } from '../../simulation/scenarios.js';
import { scenariosOf } from '../../simulation/triggers.js';
import { type Forms, readRecordId } from './forms.js';
import type { BodyOf, ResultOf } from './operations.js';
import type { ControlRoutes } from './routes.js';

type Routes = Pick<ControlRoutes, 'listScenarios' | 'putScenario' | 'runScenario' | 'cancelRun'>;

export function scenarioRoutes(forms: Forms): Routes {
  return {
    listScenarios: ({ account, query: { limit } }) => {
      const { rows, total } = account.runs.page({ page: 1, size: limit, newestFirst: true });
      const scenarios = scenariosOf(account).map((scenario) => scenarioView(account, scenario));
      return { scenarios, total, runs: rows.map(runView) };
    },

    putScenario: async ({ account, name, body }) => {
      if (body.name !== undefined && body.name !== name) {
        throw invalid('name', 'said', { message: `The name field must be ${name}, as in the path.` });
      }
      const scenario = await forms.scenario({ ...body, name });
      await account.commit({ scenarios: [scenario] });
      return scenarioView(account, scenario);
    },

    runScenario: ({ account, name, body }) => {
      const { for: resource } = getScenario(account, name);
      return runView(startScenario(account, name, subjectOf(resource, body)));
    },

    cancelRun: ({ account, id }) => runView(cancelRun(account, id)),
  };
}

/** The id of the record that a request names: of the kind that the scenario is for, and no other. @throws Refusal */
function subjectOf(resource: ScenarioSubject, body: BodyOf<'runScenario'>): number | string {
  for (const field of Object.keys(body)) {
    if (field !== resource) throw invalid(field, 'additionalProperties');
  }
  const id = body[resource];
  if (id === undefined) throw invalid(resource, 'required');
  return readRecordId(id);
}

function scenarioView(account: Account, { steps, ...scenario }: Scenario): ResultOf<'putScenario'> {
  // What a fault has been read as is in `with` as it was written.
  const written = steps.map(({ fault: _fault, ...step }) => step);
  return { ...scenario, steps: written, own: account.scenarios.has(scenario.name) };
}

function runView({ steps, depth: _depth, ...run }: Run): ResultOf<'runScenario'> {
  return { ...run, steps: steps.length };
}
