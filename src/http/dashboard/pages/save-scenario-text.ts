import { html } from '@remix-run/html-template';
import { memberOf } from '../../../lib/json.js';
import { addressOf } from '../components/dashboard-page.js';
import { fieldId } from '../components/form-fields.js';
import type { ActionOutcome, ActionRequest } from '../routing/form-action.js';
import { parseScenarioText } from './parse-scenario-text.js';

/** Saves a scenario, written as YAML or JSON, to the account. */
export async function saveScenarioText({ account, body }: ActionRequest): Promise<ActionOutcome> {
  const scenario = await parseScenarioText(String(memberOf(body, 'text') ?? ''), account);
  account.transaction((tx) => tx.put({ scenarios: [scenario] }));
  await account.whenStored();
  return {
    notice: { kind: 'done', content: html`<p>Scenario <strong>${scenario.name}</strong> saved.</p>` },
    redirectTo: `${addressOf(account.id, 'scenarios')}#${fieldId('scenario', scenario.name)}`,
  };
}
