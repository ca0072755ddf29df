import { describe, expect, test } from 'vitest';
import { commands } from '../../src/commands/index.js';
import { createFullProgram } from '../../src/commands/program.js';
import { variablesIn } from '../../src/commands/support/configuration.js';
import { misspelledVariables } from '../../src/commands/support/misspelled-variables.js';
import { runCliWith } from '../support/cli.js';

const validNames = [
  'BILLING_SIM_HOST',
  'BILLING_SIM_PORT',
  'BILLING_SIM_PROXY_PORT',
  'BILLING_SIM_PROXY_HOST',
  'BILLING_SIM_URL',
  'BILLING_SIM_WEBHOOK_URL',
  'BILLING_TOKEN',
];

test.each([
  ['BILLING_SIM_PROT', 'BILLING_SIM_PORT'],
  ['BILLING_SIM_PORTS', 'BILLING_SIM_PORT'],
  ['BILLING_SIM_PROXY_OST', 'BILLING_SIM_PROXY_HOST'],
  ['BILLING_SIM_URI', 'BILLING_SIM_URL'],
  ['BILLING_SIM_WEBHOOKURL', 'BILLING_SIM_WEBHOOK_URL'],
  ['BILLING_SIM_WEB_HOOK_URI', 'BILLING_SIM_WEBHOOK_URL'],
])('%s is probably %s', (name, probable) => {
  expect(misspelledVariables(validNames, { [name]: '1' })).toEqual([[name, probable]]);
});

test.each([
  'BILLING_SIM_PORT',
  'BILLING_SIM_TEST',
  'BILLING_SIM_HOME',
  'BILLING_SIM_CRASH_ROUNDS',
  // Kubernetes sets these two for a service named `billing-sim`.
  'BILLING_SIM_SERVICE_HOST',
  'BILLING_SIM_PORT_4010_TCP',
  'BILLING_TOKENS',
  'PORTS',
])('%s is not reported as misspelled', (name) => {
  expect(misspelledVariables(validNames, { [name]: '1' })).toEqual([]);
});

test('no variable of a command is taken for a misspelled one of another command', async () => {
  const program = await createFullProgram();
  const all = Object.fromEntries(variablesIn(program).map((name) => [name, '1']));
  expect(Object.keys(all).length).toBeGreaterThan(commands.length);
  const misspelled = program.commands.flatMap((command) => misspelledVariables(variablesIn(command), all));
  expect(misspelled).toEqual([]);
});

describe('a command', () => {
  const env = { BILLING_SIM_URI: 'http://127.0.0.1:2', BILLING_SIM_URL: 'http://127.0.0.1:1', BILLING_SIM_TEST: '1' };

  test('warns about a misspelled variable', async () => {
    const { stderr } = await runCliWith(env, 'agenda');
    expect(stderr).toMatch(
      /^Warning: the variable BILLING_SIM_URI has no effect; did you mean BILLING_SIM_URL\?\nerror: cannot reach .*\n$/,
    );
  });

  test.each(['--json', '--help'])('does not warn with %s', async (flag) => {
    const { stderr } = await runCliWith(env, 'agenda', flag);
    expect(stderr).not.toContain('BILLING_SIM_URI');
  });
});
