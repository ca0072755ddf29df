import { Command } from 'commander';
import type { components } from '../../generated/control-types.js';
import { formatTime } from '../../text/format.js';
import { readDateOrTime, readDuration } from '../support/arguments.js';
import { addAccountOptions, type Control } from '../support/control.js';
import { example } from '../support/help-text.js';
import { type CommandOutput, clockStatus } from '../support/output.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';
import { formatAdvanceReport } from './advance-report-text.js';

type Clock = components['schemas']['Clock'];

interface AdvanceFlags {
  readonly timeout?: string;
}

export function createCommand(): Command {
  const clock = new Command('clock')
    .description("show, freeze and advance an account's clock; advancing it runs everything that falls due")
    .addHelpText('after', example('clock advance 8d'));
  return addSubcommands(addAccountOptions(clock), [
    new Command('show')
      .description('show the time, and whether the clock is running')
      .addHelpText('after', example('clock show'))
      .action(controlAction(async (control) => outputOf(await control.call('get', '/accounts/{account}/clock')))),
    new Command('freeze')
      .description('freeze the clock')
      .addHelpText('after', example('clock freeze'))
      .action(controlAction((control) => setMode(control, 'frozen'))),
    new Command('resume')
      .description('resume the clock from the time it shows')
      .addHelpText('after', example('clock resume'))
      .action(controlAction((control) => setMode(control, 'real'))),
    addTimeoutOption(new Command('advance'))
      .description('advance the clock by a duration')
      .argument('<duration>', 'for example 8d, "2h 30m" or P8D', readDuration)
      .addHelpText('after', example('clock advance 8d', 'clock advance "2h 30m" --timeout 5s'))
      .action(controlAction(({ call }, { timeout }: AdvanceFlags, by) => advance(call, { by, timeout }))),
    addTimeoutOption(new Command('set'))
      .description('advance the clock to a time')
      .argument('<time>', 'for example 2026-03-09T09:00:00Z, or 2026-03-09 for midnight UTC', readDateOrTime)
      .addHelpText('after', example('clock set 2026-03-09T09:00:00Z'))
      .action(controlAction(({ call }, { timeout }: AdvanceFlags, to) => advance(call, { to, timeout }))),
  ]);
}

function addTimeoutOption(command: Command): Command {
  return command.option(
    '--timeout <duration>',
    'how long to wait for webhook receivers and mail servers, in real time (default: 30s)',
    readDuration,
  );
}

async function setMode(control: Control, mode: Clock['mode']): Promise<CommandOutput> {
  return outputOf(await control.call('patch', '/accounts/{account}/clock', { body: { mode } }));
}

async function advance(
  call: Control['call'],
  body: ({ by: string } | { to: string }) & { timeout: string | undefined },
): Promise<CommandOutput> {
  const report = await call('post', '/accounts/{account}/clock/advance', { body });
  return { value: report, text: formatAdvanceReport(report) };
}

function outputOf(clock: Clock): CommandOutput {
  return { value: clock, text: `${formatTime(clock.now)} ${clockStatus(clock.mode)}` };
}
