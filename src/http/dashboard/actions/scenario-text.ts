import { html } from '@remix-run/html-template';
import type { Scenario } from '../../../domain/scenario.js';
import { invalidField } from '../../../domain/service-error.js';
import { FileError } from '../../../files/data-file.js';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../lib/durations.js';
import { memberOf } from '../../../lib/json.js';
import type { Account } from '../../../simulation/account.js';
import { faultContextOf } from '../../../simulation/faults/faults.js';
import { fieldId } from '../components/form-fields.js';
import { sectionPath } from '../components/sections.js';
import type { ActionOutcome, ActionRequest } from './action.js';

/** Units of time longer than a millisecond, with their lengths in milliseconds, largest first. */
const units = [
  ['d', dayMs],
  ['h', hourMs],
  ['m', minuteMs],
  ['s', secondMs],
] as const;

/** A scenario as YAML, in the format of scenario files. Values are written as JSON, which is also YAML. */
export function scenarioText({ name, description, for: resource, trigger, steps }: Scenario): string {
  return [
    `name: ${JSON.stringify(name)}`,
    `description: ${JSON.stringify(description)}`,
    `for: ${resource}`,
    ...(trigger === undefined ? [] : [`trigger: ${JSON.stringify(trigger)}`]),
    'steps:',
    ...steps.map((step) => {
      const options = Object.keys(step.with).length === 0 ? '' : `, with: ${JSON.stringify(step.with)}`;
      return `  - { after: ${durationText(step.after)}, do: ${step.do}${options} }`;
    }),
    '',
  ].join('\n');
}

/** A duration in the largest unit that divides it without a remainder: `36h`. */
function durationText(milliseconds: number): string {
  if (milliseconds === 0) return '0';
  const [unit, unitMs] = units.find(([, lengthMs]) => milliseconds % lengthMs === 0) ?? ['ms', 1];
  return `${milliseconds / unitMs}${unit}`;
}

/**
 * Parses the text of a scenario file, and validates its faults for the account. The error names the line.
 * @throws ServiceError invalid
 */
export async function parseScenarioText(text: string, account: Account): Promise<Scenario> {
  // Loaded on first use, since most pages do not need it.
  const { parseScenario } = await import('../../../files/scenario-files.js');
  try {
    return await parseScenario(text, '', faultContextOf(account));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    // The message begins with `PATH:LINE:`, and the path is empty here.
    throw invalidField('text', 'custom', { message: error.message.replace(/^:(\d+):/, 'Line $1:') });
  }
}

/** Saves a scenario, written as YAML or JSON, to the account. */
export async function saveScenarioText({ account, body, logDetails }: ActionRequest): Promise<ActionOutcome> {
  const scenario = await parseScenarioText(String(memberOf(body, 'text') ?? ''), account);
  logDetails(scenario.name);
  account.transaction((tx) => tx.put({ scenarios: [scenario] }));
  await account.whenStored();
  return {
    notice: { kind: 'done', content: html`<p>Scenario <strong>${scenario.name}</strong> saved.</p>` },
    redirectTo: `${sectionPath(account.id, 'scenarios')}#${fieldId('scenario', scenario.name)}`,
  };
}
