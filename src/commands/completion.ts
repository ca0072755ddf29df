import { Argument, Command, type Option } from 'commander';
import { quoteForShell } from '../lib/messages.js';
import { readChoice } from './support/arguments.js';
import { isPath, isPathArgument, wordsBesidePaths } from './support/configuration.js';
import { example } from './support/help-text.js';
import { defaultSubcommandOf } from './support/subcommand.js';

const installHints = `
Install it:
  bash  add to ~/.bashrc: eval "$(billing-sim completion bash)"
  zsh   add to ~/.zshrc, after compinit: source <(billing-sim completion zsh)
  fish  add to ~/.config/fish/config.fish: billing-sim completion fish | source`;

export function createCommand(): Command {
  return new Command('completion')
    .description('print a script that lets a shell complete commands, options and values')
    .addArgument(
      new Argument('<shell>', 'shell to print the script for')
        .choices(shells)
        .argParser((text) => readChoice(text, shells)),
    )
    .addHelpText('after', example('completion bash'))
    .addHelpText('after', installHints)
    .action((shell: Shell, _flags: object, { parent }: Command) => {
      if (parent) process.stdout.write(completionScript(shell, parent));
    });
}

/** Words and flags that a shell can complete after a command. */
interface CompletionContext {
  /** Command and subcommand without the program's name: `clock advance`; empty for the program itself. */
  readonly path: string;
  /** Subcommands and values of the argument. */
  readonly words: readonly Word[];
  /** True if the argument is the path of a file. */
  readonly files: boolean;
  readonly flags: readonly Flag[];
}

interface Word {
  readonly text: string;
  readonly summary: string;
}

interface Flag extends Word {
  /** Values that the flag takes; undefined if it takes none. */
  readonly values: Values | undefined;
}

/** Values of a flag that can be completed; without words and files, none can. */
interface Values {
  readonly words: readonly string[];
  /** True if the flag takes paths of files. */
  readonly files: boolean;
}

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** Writes the script that lets a shell complete the commands, options and values of a program. */
function completionScript(shell: Shell, program: Command): string {
  return writers[shell](contextsOf(program));
}

function contextsOf(command: Command, path = '', inherited: readonly Flag[] = []): CompletionContext[] {
  const help: Flag = { text: '--help', summary: 'display help', values: undefined };
  const flags = [...ownFlagsOf(command), ...inherited];
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const subcommands = command.commands.map((each) => ({
    text: each.name(),
    summary: each.summary() || each.description(),
  }));
  const words = [...subcommands, ...wordsOf(choices)];
  const defaultSubcommand = defaultSubcommandOf(command);
  const defaultFlags = defaultSubcommand ? ownFlagsOf(defaultSubcommand) : [];
  const files = command.registeredArguments.some(isPathArgument);
  return [
    { path, words, files, flags: [...defaultFlags, ...flags, help] },
    ...command.commands.flatMap((each) => contextsOf(each, `${path} ${each.name()}`.trim(), flags)),
  ];
}

const ownFlagsOf = ({ options }: Command): Flag[] => options.filter(({ hidden }) => !hidden).map(flagOf);

function flagOf(option: Option): Flag {
  const { argChoices, description, long } = option;
  const isSwitch = option.isBoolean() || option.negate;
  const values = { words: argChoices ?? wordsBesidePaths(option), files: isPath(option) };
  return { text: long ?? '', summary: description, values: isSwitch ? undefined : values };
}

/** Flags that take the same values. */
interface FlagGroup {
  readonly values: Values;
  /** Patterns `'path flag'` for a `case` statement of the shell. */
  readonly patterns: readonly string[];
}

function flagGroupsOf(contexts: readonly CompletionContext[]): FlagGroup[] {
  const groups = new Map<string, { values: Values; patterns: string[] }>();
  for (const { path, flags } of contexts) {
    for (const { text, values } of flags) {
      if (values === undefined) continue;
      const key = JSON.stringify(values);
      const group = groups.get(key) ?? { values, patterns: [] };
      groups.set(key, group);
      group.patterns.push(`${path} ${text}`);
    }
  }
  return [...groups.values()];
}

/**
 * Lists all commands and subcommands, as patterns for a `case` statement on `"$path $word"`: `'clock advance'`. For a
 * top-level command, `$path` is still empty, so its pattern begins with a space: `' clock'`.
 */
function commandPatterns(contexts: readonly CompletionContext[]): string[] {
  return contexts.filter(({ path }) => path !== '').map(({ path }) => (path.includes(' ') ? path : ` ${path}`));
}

const alternatives = (patterns: readonly string[]): string => patterns.map(quoteForShell).join('|');

const writers: Readonly<Record<Shell, (contexts: readonly CompletionContext[]) => string>> = {
  bash: (contexts) => `# bash completion of billing-sim
_billing_sim() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} path= words= files= i
  # bash treats the = of --option=value as a word.
  if [[ $cur == '=' ]]; then cur=
  elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path \${COMP_WORDS[i]}" in
      ${alternatives(commandPatterns(contexts))}) path="\${path:+$path }\${COMP_WORDS[i]}" ;;
    esac
  done
  local IFS=$'\\n'
  case "$path $prev" in
${flagGroupsOf(contexts)
  .map(({ values, patterns }) => `    ${alternatives(patterns)}) ${bashCandidates(values.words, values.files)} ;;`)
  .join('\n')}
    *) case "$path" in
${contexts.map(({ path, words, files, flags }) => `      ${quoteForShell(path)}) ${bashCandidates(textsOf(words, flags), files)} ;;`).join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [[ $files ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$cur"))
  fi
}
complete -F _billing_sim billing-sim
`,

  zsh: (contexts) => `#compdef billing-sim
_billing_sim() {
  local cmd= files= i prev=\${words[CURRENT-1]}
  local -a list
  for ((i = 2; i < CURRENT; i++)); do
    case "$cmd \${words[i]}" in
      ${alternatives(commandPatterns(contexts))}) cmd="\${cmd:+$cmd }\${words[i]}" ;;
    esac
  done
  case "$cmd $prev" in
${flagGroupsOf(contexts)
  .map(
    ({ values, patterns }) => `    ${alternatives(patterns)}) ${zshCandidates(wordsOf(values.words), values.files)} ;;`,
  )
  .join('\n')}
    *) case "$cmd" in
${contexts.map(({ path, words, files, flags }) => `      ${quoteForShell(path)}) ${zshCandidates([...words, ...flags], files)} ;;`).join('\n')}
    esac ;;
  esac
  if (( $#list )); then _describe 'billing-sim' list; fi
  if [[ $files ]]; then _files; fi
}
if [[ \${funcstack[1]} == _billing_sim ]]; then _billing_sim "$@"; else compdef _billing_sim billing-sim; fi
`,

  fish: (contexts) => `# fish completion of billing-sim
function __billing_sim_at
  set -l path ''
  for word in (commandline -opc)[2..-1]
    switch "$path $word"
      case ${commandPatterns(contexts).map(quoteForShell).join(' ')}
        set path (string trim -- "$path $word")
    end
  end
  test "$path" = "$argv[1]"
end
complete -c billing-sim -f
${contexts.flatMap(fishLines).join('\n')}
`,
};

const wordsOf = (texts: readonly string[]): Word[] => texts.map((text) => ({ text, summary: '' }));

const textsOf = (words: readonly Word[], flags: readonly Flag[]): string[] =>
  [...words, ...flags].map(({ text }) => text);

function bashCandidates(words: readonly string[], files: boolean): string {
  return `words=${quoteForShell(words.join('\n'))}${files ? ' files=1' : ''}`;
}

function zshCandidates(words: readonly Word[], files: boolean): string {
  return `list=(${words.map(zshWord).join(' ')})${files ? ' files=1' : ''}`;
}

function zshWord({ text, summary }: Word): string {
  return quoteForShell(`${text.replaceAll(':', '\\:')}${summary === '' ? '' : `:${summary}`}`);
}

function fishLines({ path, words, files, flags }: CompletionContext): string[] {
  const prefix = `complete -c billing-sim -n ${quoteForFish(`__billing_sim_at ${quoteForFish(path)}`)}`;
  return [
    ...(files ? [`${prefix} -F`] : []),
    ...words.map(({ text, summary }) => `${prefix} -a ${quoteForFish(text)} -d ${quoteForFish(summary)}`),
    ...flags.map(
      ({ text, summary, values }) =>
        `${prefix} -l ${text.slice(2)}${values ? fishValues(values) : ''} -d ${quoteForFish(summary)}`,
    ),
  ];
}

/** `-r` requires a value, `-F` completes files, and `-x` requires a value without completing files. */
function fishValues({ words, files }: Values): string {
  return `${files ? ' -r -F' : ' -x'}${words.length > 0 ? ` -a ${quoteForFish(words.join(' '))}` : ''}`;
}

function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
