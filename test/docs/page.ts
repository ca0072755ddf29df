import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Block, fencedBlocks } from './markdown.js';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** One thing that a page tells its reader to do, or to see. `line` is where the page says it. */
export type Step = { readonly line: number } & (
  | { readonly kind: 'run'; readonly command: string; readonly output: string }
  | { readonly kind: 'succeed'; readonly command: string }
  | { readonly kind: 'open terminal'; readonly terminal: string; readonly command: string }
  | { readonly kind: 'see in terminal'; readonly terminal: string; readonly output: string }
  | { readonly kind: 'run program'; readonly code: string; readonly output: string }
  | { readonly kind: 'save file'; readonly file: string; readonly text: string }
  | { readonly kind: 'show file'; readonly file: string; readonly text: string }
);

/** Every page for readers, relative to the root. */
export const pageNames: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
  'fixtures/webhooks/README.md',
];

export function readPage(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

/**
 * The steps of a page, in order:
 *
 *     ```console            commands after `$ `, each followed by what it prints
 *     ```console NAME       a command that runs until the page ends, in a terminal of that name
 *     ```text NAME          what that terminal shows by now
 *     ```sh                 commands that succeed, whatever they print
 *     ```js                 a program; comments behind `console.log` say what it prints
 *     ```yaml FILE          a file that later commands use, or one of the repository; any language will do
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
  // Installing and testing is what ran this test; that the scripts exist is another test.
  if (language === 'sh' && !/^npm /m.test(text)) return [{ kind: 'succeed', line, command: text }];
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
