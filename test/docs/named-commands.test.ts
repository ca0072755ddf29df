import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFullProgram } from '../../src/commands/program.js';
import { fencedBlocks } from './markdown.js';
import { pageNames, readPage, root } from './page.js';

let program: Command;
beforeAll(async () => {
  program = await createFullProgram();
});

/** Finds the commands on a page, such as `fault add …`, in fenced blocks and inline code, without `billing-sim`. */
function namedCommands(page: string): string[] {
  const inText = [...page.matchAll(/`(?:npx )?billing-sim ([^`]+)`/g)].map(([, words = '']) => words);
  const blocks = fencedBlocks(page).map(({ text }) => text.replaceAll('\\\n', ' '));
  const inBlocks = blocks
    .flatMap((text) => [
      ...text.matchAll(/^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npx |node_modules\/\.bin\/)?billing-sim ([^|>;&\n]+)/gm),
    ])
    .map(([, words = '']) => words);
  return [...inText, ...inBlocks];
}

/** Lists the flags on a command line that the command does not have, and the first words if they are not commands. */
function unknownWords(line: string): string[] {
  const words = line.trim().split(/\s+/);
  const first = words[0] ?? '';
  const unknownFlags = (commands: readonly Command[]): string[] => {
    const flags = commands.flatMap(({ options }) => options.flatMap(({ short, long }) => [short, long]));
    return words.filter((word) => /^--?[a-z]/.test(word) && word !== '--help' && !flags.includes(word.split('=')[0]));
  };
  // A placeholder such as COMMAND stands for any command.
  if (/^[A-Z<]/.test(first)) return [];
  if (first.startsWith('-')) return unknownFlags([program, ...program.commands]);
  const command = program.commands.find((candidate) => candidate.name() === first);
  if (!command) return [first];
  const subcommand = command.commands.find((candidate) => candidate.name() === words[1]);
  if (!subcommand && command.commands.length > 0 && /^[a-z]/.test(words[1] ?? '')) return [words[1] ?? ''];
  // The flags may be those of the subcommand that runs if none is named.
  return unknownFlags([program, command, ...(subcommand ? [subcommand] : command.commands)]);
}

test('commands are found in inline code and in blocks', () => {
  expect(namedCommands(readPage('README.md'))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^listen/), expect.stringMatching(/^clock advance 8d/)]),
  );
});

describe.each(pageNames)('%s', (name) => {
  test('names only commands and flags that exist', () => {
    const wrong = namedCommands(readPage(name)).flatMap((line) =>
      unknownWords(line).map((word) => `${word} in ${line}`),
    );
    expect(wrong).toEqual([]);
  });

  test('names only npm scripts that exist', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    );
    const scriptNames = [...readPage(name).matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script);
    expect(scriptNames.filter((script) => !(script in scripts))).toEqual([]);
  });

  // Node 22 and newer treat a folder as the name of a module, and fail to find it.
  test('passes no folders to `node --test`', () => {
    const paths = [...readPage(name).matchAll(/\bnode --test (?:--\S+ )*([\w./-]+)/g)].map(([, path = '']) => path);
    expect(paths.filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory())).toEqual([]);
  });
});

// Does not run `npx` itself: its first call in a clone builds the package, which other tests use at the same time.
test('`npx billing-sim` in a clone finds the command', async () => {
  const { bin, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { stdout } = await promisify(execFile)(process.execPath, [bin['billing-sim'], '--version'], { cwd: root });
  expect(stdout.trim()).toBe(version);
});
