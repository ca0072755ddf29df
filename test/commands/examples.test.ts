import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import { createFullProgram } from '../../src/commands/program.js';
import { startSimulator } from '../../src/index.js';
import { root } from '../docs/page.js';
import { runAndStopWhenReady, runCommand } from '../docs/terminal.js';
import { runCli } from '../support/cli.js';
import { sampleUnlessFull } from '../support/sample.js';
import { tempFolder } from '../support/temp-folder.js';

/** Help texts of all commands, by path such as `clock advance`. */
async function collectHelpTexts(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const visit = async (command: Command, path: readonly string[]): Promise<void> => {
    texts.set(path.join(' '), (await runCli(...path, '--help')).stdout);
    for (const subcommand of command.commands) await visit(subcommand, [...path, subcommand.name()]);
  };
  await visit(await createFullProgram(), []);
  return texts;
}

const helpTexts = await collectHelpTexts();

test.each([...helpTexts])('the help of "%s" fits into 80 columns', (_path, help) => {
  expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

/** Example commands of a help text. */
function examplesIn(help: string): string[] {
  return [...help.replaceAll(/ \\\n +/g, ' ').matchAll(/^ {2}\$ (billing-sim .+)$/gm)].map(
    ([, command = '']) => command,
  );
}

/** Commands to run before an example, keyed by example. */
const preparations: Readonly<Record<string, string>> = {
  'billing-sim start --memory --port 0 --profile staging.yaml': "echo 'deposit.id: uuid' > staging.yaml",
  'billing-sim snapshot restore before-expiry': 'billing-sim snapshot save before-expiry',
  'billing-sim snapshot remove before-expiry': 'billing-sim snapshot save before-expiry',
  'billing-sim snapshot export before-expiry --output bug.json': 'billing-sim snapshot save before-expiry',
  'billing-sim snapshot import bug.json --name theirs':
    'billing-sim snapshot save bug && billing-sim snapshot export bug --output bug.json',
  'billing-sim account remove hotel': 'billing-sim account create hotel',
  'billing-sim fault clear 1': 'billing-sim fault add reset',
  'billing-sim scenario cancel 1': 'billing-sim scenario run no-show --deposit 8',
  'billing-sim mails show 1': `curl -sf -X POST -H 'Authorization: Bearer demo_full' $BILLING_SIM_URL/api/v1/invoices/2/reminder`,
  // Nothing listens at this URL, so the example ends with exit code 1.
  'billing-sim deliveries resend evt_5f2b51ca2b0a8b9c1f6f3b6e':
    'billing-sim settings set --webhook-url http://127.0.0.1:1/',
  'billing-sim data check': 'billing-sim seed --invoices 1',
  'billing-sim data check --data .billing-sim': 'billing-sim seed --invoices 1',
  'billing-sim data repair --to repaired': 'billing-sim seed --invoices 1',
};

/** Exit codes of the examples that check something and fail, keyed by example. */
const exitCodes: Readonly<Record<string, number>> = {
  'billing-sim coverage show --fail-on operations,retries,forged': 1,
  'billing-sim deliveries resend evt_5f2b51ca2b0a8b9c1f6f3b6e': 1,
};

const scenarioFile = 'name: late\nfor: invoice\ndescription: Paid late\nsteps:\n  - after: 1d\n    do: pay\n';

const examples = [...new Set([...helpTexts.values()].flatMap(examplesIn))];

/** Matches examples that take long, since they check a whole implementation. Only a full run tests all of them. */
const longExamples = /^billing-sim (?:calibrate|compare|contract --base-url|prove)\b/;
const testedExamples = [
  ...examples.filter((example) => !longExamples.test(example)),
  ...sampleUnlessFull(
    examples.filter((example) => longExamples.test(example)),
    { oneIn: 6 },
  ),
];

/** Address of another implementation in examples. */
const deployment = 'https://billing.example';

test.each(testedExamples)('the example `%s` works', async (example) => {
  const options = { rateLimit: false, now: '2026-03-01T09:00:00Z', log: () => undefined };
  const sim = await startSimulator(options);
  onTestFinished(() => sim.close());
  const folder = tempFolder();
  mkdirSync(join(folder, '.bin'));
  writeFileSync(join(folder, '.bin/billing-sim'), `#!/bin/sh\nexec "${process.execPath}" "${root}dist/cli.js" "$@"\n`, {
    mode: 0o755,
  });
  writeFileSync(join(folder, 'late.yaml'), scenarioFile);
  const env = { ...process.env, PATH: `${folder}/.bin:${process.env['PATH']}`, BILLING_SIM_URL: sim.url };
  const shell = { folder, env };
  const { deposits } = sim.account;
  // Examples use deposit 8 and payment link 4, the first ones that are created after the seed.
  const post = (path: string, body: object) =>
    fetch(`${sim.baseUrl}${path}`, {
      method: 'POST',
      headers: { Authorization: 'Bearer demo_full', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('/deposits', { booking_reference: 'BK-1', amount: 300 });
  await post('/payment-links', { description: 'Link', amount: 10 });
  // The examples that capture deposit 8, or trigger its expiry, need it to be authorized.
  if (/capture|expired --/.test(example)) await deposits.authorize(8);
  const [event] = await sim.account.webhooks.all();
  let command = example.replaceAll('http://127.0.0.1:4010', sim.url).replace(/evt_[0-9a-f]{24}/, event?.id ?? '');
  if (command.includes(deployment)) {
    const other = await startSimulator(options);
    onTestFinished(() => other.close());
    command = command.replaceAll(deployment, other.url);
  }
  const preparation = preparations[example];
  for (const step of preparation?.split(' && ') ?? []) expect(await runCommand(step, shell)).toMatchObject({ code: 0 });
  // These commands run until they are interrupted.
  if (/^billing-sim (?:start|proxy|listen|requests tail)\b/.test(example) && !example.includes('--print-secret')) {
    const stopped = await runAndStopWhenReady(`${command}${example.includes('proxy') ? ' --port 0' : ''}`, shell);
    expect(stopped).toEqual({ code: 0, output: expect.stringContaining('Ctrl-C') });
    return;
  }
  const { output, code } = await runCommand(command, shell);
  expect(code, output).toBe(exitCodes[example] ?? 0);
});
