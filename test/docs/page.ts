import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Block, fencedBlocks } from './markdown.js';

/** Path of the repository, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** An instruction or expected output on a page, with its line number. */
export type Step = { readonly line: number } & (
  | { readonly kind: 'run'; readonly command: string; readonly output: string }
  | { readonly kind: 'run successfully'; readonly command: string }
  | { readonly kind: 'open terminal'; readonly terminal: string; readonly command: string }
  | { readonly kind: 'see in terminal'; readonly terminal: string; readonly output: string }
  | { readonly kind: 'run program'; readonly code: string; readonly output: string }
  | { readonly kind: 'save file'; readonly file: string; readonly text: string }
  | { readonly kind: 'show file'; readonly file: string; readonly text: string }
);

/** Paths of all pages of the documentation, relative to the repository. */
export const pageNames: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
  'fixtures/webhooks/README.md',
  ...readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('README.md') && !name.includes('node_modules'))
    .sort()
    .map((name) => `examples/${name}`),
];

export function readPage(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

/**
 * Parses the steps of a page, in order:
 *
 *     ```console            commands after `$ `, each followed by its output
 *     ```console NAME       a command that runs until the page ends, in a terminal with this name
 *     ```text NAME          text that this terminal shows after the steps above
 *     ```sh                 commands that must succeed; their output is not checked
 *     ```js                 a program; comments after `console.log` contain its output
 *     ```yaml FILE          a file that later commands use, or a copy of a file of the repository; in any language
 */
export function stepsOf(page: string): Step[] {
  return fencedBlocks(page).flatMap(stepsOfBlock);
}

function stepsOfBlock({ language, name, text, line }: Block): Step[] {
  if (language === 'console' && name === '') return commandsOf(text, line + 1);
  if (language === 'console') {
    return [{ kind: 'open terminal', line, terminal: name, command: text.replace(/^\$ /, '').trim() }];
  }
  if (language === 'text' && name !== '') return [{ kind: 'see in terminal', line, terminal: name, output: text }];
  // npm commands are skipped: they would install the package or run all tests. named-commands.test.ts checks scripts.
  if (language === 'sh' && !/^npm /m.test(text)) return [{ kind: 'run successfully', line, command: text }];
  if (name !== '') {
    return [{ kind: existsSync(join(root, name)) ? 'show file' : 'save file', line, file: name, text }];
  }
  if (language === 'js') {
    const output = [...text.matchAll(/^console\.log.*\/\/ (.*)$/gm)].map(([, printed = '']) => printed).join('\n');
    return [{ kind: 'run program', line, code: text, output }];
  }
  return [];
}

function commandsOf(text: string, firstLine: number): Step[] {
  const steps: Step[] = [];
  let line = firstLine;
  for (const step of text.split(/^\$ /m)) {
    const [command = '', ...output] = step.trimEnd().split('\n');
    if (step !== '') steps.push({ kind: 'run', line, command, output: output.join('\n') });
    line += step.split('\n').length - 1;
  }
  return steps;
}
