import { Argument, Command, type Option } from 'commander';
import { readChoice } from './support/arguments.js';
import { isPath } from './support/configuration.js';
import { example } from './support/help-text.js';

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
  readonly flags: readonly Flag[];
}

interface Word {
  readonly text: string;
  readonly summary: string;
}

interface Flag extends Word {
  /** Kind of value that the flag takes: none (`switch`), the path of a file, any value, or one of an array. */
  readonly takes: 'switch' | 'file' | 'value' | readonly string[];
}

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** Writes the script that lets a shell complete the commands, options and values of a program. */
function completionScript(shell: Shell, program: Command): string {
  return writers[shell](contextsOf(program));
}

function contextsOf(command: Command, path = '', inherited: readonly Flag[] = []): CompletionContext[] {
  const ownFlags = command.options.filter(({ hidden }) => !hidden).map(flagOf);
  const help: Flag = { text: '--help', summary: 'display help', takes: 'switch' };
  const flags = [...ownFlags, ...inherited];
  const values = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const subcommands = command.commands.map((each) => ({
    text: each.name(),
    summary: each.summary() || each.description(),
  }));
  const words = [...subcommands, ...values.map((text) => ({ text, summary: '' }))];
  return [
    { path, words, flags: [...flags, help] },
    ...command.commands.flatMap((each) => contextsOf(each, `${path} ${each.name()}`.trim(), flags)),
  ];
}

function flagOf(option: Option): Flag {
  const { argChoices, description, long } = option;
  const takes = option.isBoolean() || option.negate ? 'switch' : (argChoices ?? (isPath(option) ? 'file' : 'value'));
  return { text: long ?? '', summary: description, takes };
}

/** Lists the flags that take this kind of value, as patterns `'path flag'` for a `case` statement of the shell. */
function flagPatterns(contexts: readonly CompletionContext[], takes: Flag['takes']): string[] {
  const key = String(takes);
  return contexts.flatMap(({ path, flags }) =>
    flags.filter((flag) => String(flag.takes) === key).map(({ text }) => `${path} ${text}`),
  );
}

/** Collects the lists of allowed values of all flags, without duplicates. */
function valueLists(contexts: readonly CompletionContext[]): (readonly string[])[] {
  const lists = contexts.flatMap(({ flags }) =>
    flags.flatMap(({ takes }) => (typeof takes === 'string' ? [] : [takes])),
  );
  return [...new Map(lists.map((list) => [list.join(), list])).values()];
}

/**
 * Lists all commands and subcommands, as patterns for a `case` statement on `"$path $word"`: `'clock advance'`. For a
 * top-level command, `$path` is still empty, so its pattern begins with a space: `' clock'`.
 */
function commandPatterns(contexts: readonly CompletionContext[]): string[] {
  return contexts.filter(({ path }) => path !== '').map(({ path }) => (path.includes(' ') ? path : ` ${path}`));
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const alternatives = (patterns: readonly string[]): string => patterns.map(quoteForShell).join('|');

const writers: Readonly<Record<Shell, (contexts: readonly CompletionContext[]) => string>> = {
  bash: (contexts) => `# bash completion of billing-sim
_billing_sim() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} path= words= i
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
    ${alternatives(flagPatterns(contexts, 'file'))})
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -f -- "$cur"))
      return ;;
    ${alternatives(flagPatterns(contexts, 'value'))})
      COMPREPLY=()
      return ;;
${valueLists(contexts)
  .map((list) => `    ${alternatives(flagPatterns(contexts, list))}) words=${quoteForShell(list.join('\n'))} ;;`)
  .join('\n')}
    *) case "$path" in
${contexts.map(({ path, words, flags }) => `      ${quoteForShell(path)}) words=${quoteForShell([...words, ...flags].map(({ text }) => text).join('\n'))} ;;`).join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _billing_sim billing-sim
`,

  zsh: (contexts) => `#compdef billing-sim
_billing_sim() {
  local cmd= i prev=\${words[CURRENT-1]}
  local -a list
  for ((i = 2; i < CURRENT; i++)); do
    case "$cmd \${words[i]}" in
      ${alternatives(commandPatterns(contexts))}) cmd="\${cmd:+$cmd }\${words[i]}" ;;
    esac
  done
  case "$cmd $prev" in
    ${alternatives(flagPatterns(contexts, 'file'))}) _files; return ;;
    ${alternatives(flagPatterns(contexts, 'value'))}) return ;;
${valueLists(contexts)
  .map(
    (list) =>
      `    ${alternatives(flagPatterns(contexts, list))}) compadd -- ${list.map(quoteForShell).join(' ')}; return ;;`,
  )
  .join('\n')}
  esac
  case "$cmd" in
${contexts.map(({ path, words, flags }) => `    ${quoteForShell(path)}) list=(${[...words, ...flags].map(zshWord).join(' ')}) ;;`).join('\n')}
  esac
  _describe 'billing-sim' list
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

function zshWord({ text, summary }: Word): string {
  return quoteForShell(`${text.replaceAll(':', '\\:')}${summary === '' ? '' : `:${summary}`}`);
}

function fishLines({ path, words, flags }: CompletionContext): string[] {
  const prefix = `complete -c billing-sim -n ${quoteForFish(`__billing_sim_at ${quoteForFish(path)}`)}`;
  return [
    ...words.map(({ text, summary }) => `${prefix} -a ${quoteForFish(text)} -d ${quoteForFish(summary)}`),
    ...flags.map(({ text, summary, takes }) => {
      // `-r` requires a value, `-F` completes files, and `-x` requires a value without completing files.
      const optionsByKind = { switch: '', file: ' -r -F', value: ' -x' };
      const options = typeof takes === 'string' ? optionsByKind[takes] : ` -x -a ${quoteForFish(takes.join(' '))}`;
      return `${prefix} -l ${text.slice(2)}${options} -d ${quoteForFish(summary)}`;
    }),
  ];
}

function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
