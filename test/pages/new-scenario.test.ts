import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseScenario, readScenarios } from '../../src/files/scenario-files.js';
import { scenarioText } from '../../src/http/dashboard/actions/scenario-text.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { scenarioFilesIn } from '../support/scenario-files-in.js';
import { createAccountWithDashboard } from './dashboard-forms.js';

// The form that saves a scenario written as YAML. The tests submit it without a browser.

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** The first four lines of a scenario. */
const firstLines = 'name: mine\ndescription: Mine.\nfor: deposit\nsteps:\n';

test.each([
  ['', 'Line 1: the file is empty'],
  ['name: [', 'Line 1: cannot parse the file'],
  [`${firstLines}  - { after: 2 months, do: authorize }`, 'Line 5: step 1: after: '],
  [
    `${firstLines}  - { do: fault, with: { effect: reset, match: { token: ful } } }`,
    'Line 5: step 1: with: match: unknown token',
  ],
  [`${firstLines}  - { do: authorize }\n  - { do: pay, do: view }`, 'Line 6: duplicate key'],
  [`${firstLines}  - { do: <script>alert(1)</script> }`, 'Line 5: '],
  [`${firstLines}  - { do: authorize }\nname: other`, 'Line 6: duplicate key'],
])('the text %j is refused with a line number, and nothing is saved', async (text, message) => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const scenariosBefore = await dashboard.readText('scenarios');
  const { notice, html } = await dashboard.postFields('scenarios/new', 'saveScenarioText', {
    'form-key': 'saveScenarioText',
    text,
  });
  expect(notice).toContain(message);
  expect(html).toMatch(/<textarea[^>]*aria-invalid="true"/);
  expect(html).not.toContain('<script>alert');
  expect(await dashboard.readText('scenarios')).toEqual(scenariosBefore);
});

test('every bundled scenario is the same after it is written as text and parsed, and opens in the form', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const scenarios = await readScenarios(scenarioFilesIn('fixtures/scenarios'));
  expect(scenarios.length).toBeGreaterThan(5);
  for (const scenario of scenarios) {
    expect(await parseScenario(scenarioText(scenario), 'test.yaml')).toEqual(scenario);
    // The form shows the timeline of a scenario only if it is valid.
    expect(await dashboard.readHtml(`scenarios/new?from=${scenario.name}`)).toContain('Timeline');
  }
});
