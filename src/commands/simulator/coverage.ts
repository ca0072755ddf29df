import { Command, Option } from 'commander';
import type { components } from '../../generated/control-types.js';
import { markRepeatable, readChoice } from '../support/arguments.js';
import { addAccountOptions, type Control } from '../support/control.js';
import { example } from '../support/help-text.js';
import type { CommandOutput } from '../support/output.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';
import { formatCoverage } from './coverage-text.js';

type Coverage = components['schemas']['Coverage'];

/** Topics of `--fail-on`, each with a function that returns what is missing or has gone wrong. */
const topics = {
  operations: ({ operations }) => operations.missing,
  errors: ({ errors }) => errors.missing,
  faults: ({ faults }) => faults.missing,
  events: ({ events }) => events.missing,
  transitions: ({ transitions }) => transitions.missing,
  scopes: ({ scopes }) => scopes.unused,
  /** Operations that were called without an Idempotency-Key. */
  keys: ({ keys }) => keys.missing,
  /** Lost responses that the client did not retry, or retried in a way that could repeat the operation. */
  retries: ({ retries }) => [...retries.missing, ...retries.unsafe],
  /** Webhooks with a forged body or signature that the receiver accepted. */
  forged: ({ forged_webhooks }) => forged_webhooks.accepted,
} as const satisfies Record<string, (coverage: Coverage) => readonly unknown[]>;

type Topic = keyof typeof topics;
const topicNames = Object.keys(topics).filter(isTopic);

export function createCommand(): Command {
  const coverage = new Command('coverage')
    .description('show what the client under test has exercised, and what is missing')
    .addHelpText('after', example('coverage', 'coverage --fail-on retries,forged'));
  return addSubcommands(addAccountOptions(coverage), [
    new Command('show')
      .description('show the coverage since the simulator started or the counters were reset')
      .addOption(
        markRepeatable(
          new Option(
            '--fail-on <topics>',
            'exit with 1 if anything is missing or has gone wrong in one of these comma-separated topics; may be repeated',
          )
            .choices(topicNames)
            .argParser(readTopics),
        ),
      )
      .addHelpText('after', example('coverage show --fail-on operations,retries,forged'))
      .action(controlAction(show)),
    new Command('reset')
      .description('reset the counters')
      .addHelpText('after', example('coverage reset'))
      .action(
        controlAction(async ({ call, account }) => {
          const value = await call('delete', '/accounts/{account}/coverage');
          return { value, text: `Coverage of ${account} reset.` };
        }),
      ),
  ]);
}

async function show(
  { call, nextCommand }: Control,
  { failOn = [] }: { readonly failOn?: readonly Topic[] },
): Promise<CommandOutput> {
  const value = await call('get', '/accounts/{account}/coverage');
  const uncovered = failOn.filter((topic) => topics[topic](value).length > 0);
  if (uncovered.length > 0) process.exitCode = 1;
  const blocks = [
    formatCoverage(value, nextCommand),
    ...(uncovered.length > 0 ? [`Failed topics: ${uncovered.join(', ')}`] : []),
  ];
  return { value, text: blocks.join('\n\n') };
}

/** Reads topics, separated by commas, and adds them to those from earlier uses of a repeated option. */
function readTopics(text: string, earlier: readonly Topic[] = []): Topic[] {
  return [...earlier, ...text.split(',').map((word) => readChoice(word.trim(), topicNames))];
}

function isTopic(name: string): name is Topic {
  return Object.hasOwn(topics, name);
}
