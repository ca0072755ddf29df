// Generates docs/commands.md, or the file given as an argument, from the commands themselves. Run by `npm run docs`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSource } from '../support/load-source.mjs';

const { createFullProgram } = await loadSource('commands/program.ts');

const [, , file = fileURLToPath(new URL('../../docs/commands.md', import.meta.url))] = process.argv;

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');

const table = (heading, rows) =>
  rows.length === 0
    ? []
    : [`| ${heading} | |\n| --- | --- |\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}`];

/** Text after the options in a command's help. */
function notesOf(command) {
  let notes = '';
  command.emit('afterHelp', {
    command,
    error: false,
    write: (text) => {
      notes += text;
    },
  });
  const [, examples = '', rest = ''] = /^\s*Example:\n((?: {2}.*\n)*)(.*)$/s.exec(notes) ?? [undefined, '', notes];
  const block = examples.replace(/^ {2}/gm, '').trimEnd();
  return [...(block === '' ? [] : [`\`\`\`text\n${block}\n\`\`\``]), ...(rest.trim() === '' ? [] : [rest.trim()])];
}

function optionsOf(command, help) {
  return help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option) => [`\`${option.flags}\``, cell(help.optionDescription(option))]);
}

function section(command, path, level) {
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
        .map((argument) => [`\`${argument.name()}\``, cell(help.argumentDescription(argument))]),
    ),
    ...table('Option', optionsOf(command, help)),
    ...notesOf(command),
    ...subcommands.flatMap((subcommand) => section(subcommand, words, level + 1)),
  ];
}

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const program = await createFullProgram();
const list = program.commands.map((command) => {
  const name = command.name();
  return `| [${name}](#${name}) | ${cell(command.summary())} |`;
});

writeFileSync(
  file,
  `${[
    '# Command reference',
    'In a clone of the repository, type `npx billing-sim` instead of `billing-sim`. Every command also has `--help`.',
    'Options can also be set by environment variables, shown here as `env`, and by a [configuration file](configuration.md).',
    'This page is generated from the commands: run `npm run docs` after changing one.',
    `| Command | |\n| --- | --- |\n${list.join('\n')}`,
    ...program.commands.flatMap((command) => section(command, [], 2)),
  ].join('\n\n')}\n`,
);
