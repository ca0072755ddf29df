import { Command } from 'commander';
import type { ScenarioSource } from '../../files/scenario-files.js';
import type { components } from '../../generated/control-types.js';
import { didYouMean } from '../../lib/did-you-mean.js';
import { quote } from '../../lib/messages.js';
import { formatCount, formatTime, resourceName, subjectName } from '../../text/format.js';
import { readDepositId, readInteger, readInvoiceId, readLimit, readPaymentLinkId } from '../support/arguments.js';
import { CommandError } from '../support/command-error.js';
import { addAccountOptions, type Control, singlePageQuery } from '../support/control.js';
import { example } from '../support/help-text.js';
import { type CommandOutput, columns, moreLines } from '../support/output.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';

type ScenarioDescription = components['schemas']['Scenario'];
type Run = components['schemas']['Run'];

interface RunFlags {
  readonly deposit?: number | string;
  readonly invoice?: number;
  readonly paymentLink?: number;
}

export function createCommand(): Command {
  const scenario = new Command('scenario')
    .description('list, run and cancel scripted lifecycles')
    .addHelpText('after', example('scenario run no-show --deposit 8'));
  return addSubcommands(addAccountOptions(scenario), [
    new Command('list')
      .description('list the scenarios and their runs')
      .option('--limit <number>', 'maximum number of runs to show', readLimit, 20)
      .addHelpText('after', example('scenario list'))
      .action(controlAction(list)),
    new Command('run')
      .description('run a scenario on a record, starting now')
      .argument('<name|file>', 'name of a scenario, or a file (YAML) to load first')
      .option('--deposit <id>', 'deposit to run it on', readDepositId)
      .option('--invoice <id>', 'invoice to run it on', readInvoiceId)
      .option('--payment-link <id>', 'payment link to run it on', readPaymentLinkId)
      .addHelpText('after', example('scenario run no-show --deposit 8', 'scenario run ./late.yaml --invoice 3'))
      .action(controlAction(run)),
    new Command('cancel')
      .description('cancel a run')
      .argument('<run>', 'number of the run (see scenario list)', readInteger)
      .addHelpText('after', example('scenario cancel 1'))
      .action(
        controlAction(async (control, _flags, run) =>
          outputOf(await control.call('delete', '/accounts/{account}/runs/{run}', { path: { run } })),
        ),
      ),
  ]);
}

async function list(control: Control, { limit }: { readonly limit: number }): Promise<CommandOutput> {
  const scenarios = await control.call('get', '/accounts/{account}/scenarios', { query: singlePageQuery });
  const runs = await control.call('get', '/accounts/{account}/runs', { query: { per_page: limit } });
  const rows = scenarios.data.map((scenario: ScenarioDescription) => [
    scenario.name,
    resourceName(scenario.for),
    formatCount(scenario.steps.length, 'step'),
    scenario.description,
  ]);
  const blocks = [columns(rows)];
  if (runs.data.length > 0)
    blocks.push(columns(runs.data.map((run) => [formatTime(run.started_at), ...runCells(run)])));
  blocks.push(...moreLines(runs.total, runs.data.length));
  return { value: { scenarios, runs }, text: blocks.join('\n\n') };
}

async function run({ call }: Control, flags: RunFlags, nameOrFile: string): Promise<CommandOutput> {
  // A file name has a dot or a slash; the name of a scenario has neither.
  const fromFile = /[./\\]/.test(nameOrFile) ? await readScenarioFile(nameOrFile) : undefined;
  const scenario = fromFile ?? (await findScenario(call, nameOrFile));
  const path = { scenario: scenario.name };
  const ids = { deposit: flags.deposit, invoice: flags.invoice, payment_link: flags.paymentLink };
  const otherKinds = Object.entries(ids).filter(([kind, id]) => id !== undefined && kind !== scenario.for);
  if (ids[scenario.for] === undefined || otherKinds.length > 0) {
    const flag = scenario.for.replace('_', '-');
    throw new CommandError(
      `the scenario ${scenario.name} runs on one ${resourceName(scenario.for)}; give only --${flag} ID`,
      'usage',
    );
  }
  if (fromFile) {
    // Checked first, because a scenario for a record that does not exist must not be added.
    await call('get', recordPaths[scenario.for], { path: { [scenario.for]: String(ids[scenario.for]) } });
    await call('put', '/accounts/{account}/scenarios/{scenario}', { path, body: fromFile });
  }
  const started = await call('post', '/accounts/{account}/scenarios/{scenario}/run', { path, body: ids });
  return outputOf(started);
}

/** Paths of the records that a scenario can run on. */
const recordPaths = {
  deposit: '/accounts/{account}/deposits/{deposit}',
  invoice: '/accounts/{account}/invoices/{invoice}',
  payment_link: '/accounts/{account}/payment-links/{payment_link}',
} as const;

/** @throws FileError */
async function readScenarioFile(path: string): Promise<ScenarioSource> {
  const { readScenarioSource } = await import('../../files/scenario-files.js');
  return readScenarioSource(path);
}

/** @throws CommandError if the account has no scenario of that name */
async function findScenario(call: Control['call'], name: string): Promise<ScenarioDescription> {
  const { data: scenarios } = await call('get', '/accounts/{account}/scenarios', { query: singlePageQuery });
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found) return found;
  const names = scenarios.map((scenario) => scenario.name);
  throw new CommandError(`unknown scenario ${quote(name)}${didYouMean(name, names, { listKnown: 'always' })}`);
}

function outputOf(run: Run): CommandOutput {
  return { value: run, text: runCells(run).join('  ') };
}

function runCells({ id, scenario, subject, status, reason, completed_steps, steps, due_at }: Run): string[] {
  const nextStepOrReason = due_at === null ? reason : `next step at ${formatTime(due_at)}`;
  const cells = [
    `run ${id}`,
    `${scenario} on ${subjectName(subject)}`,
    status,
    `${completed_steps} of ${formatCount(steps, 'step')}`,
  ];
  return nextStepOrReason === null ? cells : [...cells, nextStepOrReason];
}
