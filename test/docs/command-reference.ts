import type { Command, Help } from 'commander';
import { createFullProgram } from '../../src/commands/program.js';

const codeCell = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');

const table = (heading: string, rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0
    ? []
    : [`| ${heading} | |\n| --- | --- |\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}`];

/** Text after the options in a command's help. */
function notesOf(command: Command): string[] {
  const printed: string[] = [];
  command.configureOutput({ writeOut: (text) => printed.push(text) });
  command.outputHelp();
  // Commander prints the help that it generates first, then each text that was added with `addHelpText`.
  const notes = printed.slice(1).join('');
  const [, examples = '', otherNotes = ''] = /^\s*Example:\n((?: {2}.*\n)*)(.*)$/s.exec(notes) ?? [
    undefined,
    '',
    notes,
  ];
  const block = examples.replace(/^ {2}/gm, '').trimEnd();
  return [
    ...(block === '' ? [] : [`\`\`\`text\n${block}\n\`\`\``]),
    ...(otherNotes.trim() === '' ? [] : [otherNotes.trim()]),
  ];
}

function optionsOf(command: Command, help: Help): string[][] {
  return help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option) => [codeCell(option.flags), cell(help.optionDescription(option))]);
}

function section(command: Command, path: readonly string[], level: number): string[] {
  const help = command.createHelp();
  const words = [...path, command.name()];
  const subcommands = command.commands.filter((subcommand) => subcommand.name() !== 'help');
  const usage = ['billing-sim', ...path, command.name(), command.usage()].join(' ');
  return [
    `${'#'.repeat(level)} ${words.join(' ')}`,
    `\`${usage}\``,
    `${sentence(command.description())}`,
    ...table(
      'Argument',
      help
        .visibleArguments(command)
        .map((argument) => [codeCell(argument.name()), cell(help.argumentDescription(argument))]),
    ),
    ...table('Option', optionsOf(command, help)),
    ...notesOf(command),
    ...subcommands.flatMap((subcommand) => section(subcommand, words, level + 1)),
  ];
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Returns the text of docs/commands.md, generated from the commands themselves. */
export async function commandReference(): Promise<string> {
  const program = await createFullProgram();
  const commandRows = program.commands.map((command) => {
    const name = command.name();
    return `| [${name}](#${name}) | ${cell(command.summary())} |`;
  });

  return `${[
    '# Command reference',
    'In a clone of the repository, and in a project in which it is installed, type `npx billing-sim` instead of `billing-sim`. Every command also has `--help`.',
    'Options can also be set by environment variables, shown here as `env`, and by a [configuration file](configuration.md).',
    'This page is generated from the commands: run `npm run docs` after changing one.',
    `| Command | |\n| --- | --- |\n${commandRows.join('\n')}`,
    ...program.commands.flatMap((command) => section(command, [], 2)),
  ].join('\n\n')}\n`;
}
