import type { Scenario } from '../../../domain/scenario.js';
import { ServiceError } from '../../../domain/service-error.js';
import { dayMs } from '../../../lib/durations.js';
import type { Account } from '../../../simulation/account.js';
import { scenariosOf } from '../../../simulation/scenarios/triggered-runs.js';
import { errorText } from '../../service/errors.js';
import { formKey } from '../components/form.js';
import type { PageHandler } from '../routing/page.js';
import { newScenarioPage } from './new-scenario-view.js';
import { parseScenarioText } from './parse-scenario-text.js';
import { scenarioText } from './scenario-text.js';

const example: Scenario = {
  name: 'my-scenario',
  description: 'The guest authorizes, and a part of the hold is captured.',
  for: 'deposit',
  // The simulator stores durations in milliseconds: two minutes, and a day.
  steps: [
    { after: 120_000, do: 'authorize', with: {} },
    { after: dayMs, do: 'capture', with: { amount: 50 } },
  ],
};

/** The page for writing a scenario. It starts with the scenario of the parameter `from`, or with an example. */
export const showNewScenario: PageHandler = async (context) => {
  const { account, query, location } = context;
  const enteredText =
    location.notice?.form?.key === formKey('saveScenarioText') ? location.notice.form.values.get('text') : undefined;
  const original = scenariosOf(account).find(({ name }) => name === query.get('from')) ?? example;
  const text = enteredText ?? scenarioText(original);
  return newScenarioPage(location, {
    text,
    ...(await parseScenario(account, text)),
  });
};

/** Parses a scenario. An invalid text results in an error message. */
async function parseScenario(
  account: Account,
  text: string,
): Promise<{ readonly scenario: Scenario | undefined; readonly error: string | undefined }> {
  try {
    return { scenario: await parseScenarioText(text, account), error: undefined };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { error: message, errors } = errorText(error, account.profile);
    return { scenario: undefined, error: errors?.['text']?.join(' ') ?? message };
  }
}
