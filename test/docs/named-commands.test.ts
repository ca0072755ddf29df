import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/commands/index.js';
import { fencedBlocks } from './markdown.js';
import { pageNames, readPage, root } from './page.js';

const program = new Command('billing-sim');
beforeAll(async () => {
  for (const { load } of commands) program.addCommand(await load());
});

/** Commands of a page as it names them: `billing-sim fault add …`, in a block or in the text. */
function namedCommands(page: string): string[] {
  const inText = [...page.matchAll(/`billing-sim ([^`]+)`/g)].map(([, words = '']) => words);
  const blocks = fencedBlocks(page).map(({ text }) => text.replaceAll('\\\n', ' '));
  const inBlocks = blocks.flatMap((text) => [
    ...text.matchAll(/^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npx )?billing-sim ([^|>;&\n]+)/gm),
  ]);
  return [...inText, ...inBlocks.map(([, words = '']) => words)];
}

/** The flags of a command that it does not have, and the first word if it is not a command. */
function unknownWords(line: string): string[] {
  const words = line.trim().split(/\s+/);
  const first = words[0] ?? '';
  if (/^-|^[A-Z<]/.test(first)) return [];
  const command = program.commands.find((candidate) => candidate.name() === first);
  if (!command) return [first];
  const verb = command.commands.find((candidate) => candidate.name() === words[1]);
  // Without a verb, a command has the flags of its default one.
  const owners = verb ? [command, verb] : [command, ...command.commands];
  const flags = owners.flatMap(({ options }) => options.flatMap(({ short, long }) => [short, long]));
  return words.filter((word) => /^--?[a-z]/.test(word) && word !== '--help' && !flags.includes(word.split('=')[0]));
}

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
    const named = [...readPage(name).matchAll(/npm run ([a-z:]+)/g)].map(([, script = '']) => script);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });
});

// `npx` itself is not run here: in a clone its first call builds the package, on which other tests rest meanwhile.
test('`npx billing-sim` in a clone finds the command', async () => {
  const { bin, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { stdout } = await promisify(execFile)(process.execPath, [bin['billing-sim'], '--version'], { cwd: root });
  expect(stdout.trim()).toBe(version);
});
