import { html } from '@remix-run/html-template';
import { memberOf } from '../../../lib/json.js';
import { faultContextOf } from '../../../simulation/faults/faults.js';
import type { PayloadParsers } from '../../control/payload-parsers.js';
import { addressOf } from '../components/dashboard.js';
import { fieldId } from '../components/form-fields.js';
import type { ActionOutcome, ActionRequest } from '../routing/form-action.js';

/** Creates the action that saves a scenario, written as YAML or JSON, to the account. */
export function saveScenarioText(parsers: PayloadParsers): (request: ActionRequest) => Promise<ActionOutcome> {
  return async ({ account, body }) => {
    const scenario = await parsers.scenarioText(String(memberOf(body, 'text') ?? ''), faultContextOf(account));
    account.transaction((tx) => tx.put({ scenarios: [scenario] }));
    await account.whenStored();
    return {
      notice: { kind: 'done', content: html`<p>Scenario <strong>${scenario.name}</strong> saved.</p>` },
      redirectTo: `${addressOf(account.id, 'scenarios')}#${fieldId('scenario', scenario.name)}`,
    };
  };
}
