import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { lifecycleDiagram } from '../../src/text/diagram.js';
import { tempFolder } from '../support/temp-folder.js';

const page = readFileSync(new URL('../../docs/lifecycles.md', import.meta.url), 'utf8');

/** Returns the text between the comments that enclose a diagram. */
function diagramOnPage(name: string): string | undefined {
  return new RegExp(`<!-- lifecycle: ${name} -->\n\n(.*?)\n\n<!-- end -->`, 's').exec(page)?.[1];
}

test.each(['deposit', 'payment', 'invoice'] as const)(
  'docs/lifecycles.md shows the current lifecycle of a %s',
  (name) => {
    const block = `\`\`\`mermaid\n${lifecycleDiagram(name)}\n\`\`\``;
    expect(diagramOnPage(name), 'the diagrams in docs/lifecycles.md are stale: run `npm run docs`').toBe(block);
  },
);

test('diagrams.mjs updates stale diagrams, and leaves the rest of the page unchanged', async () => {
  const file = join(tempFolder(), 'lifecycles.md');
  const script = fileURLToPath(new URL('diagrams.mjs', import.meta.url));
  const runScript = async (text: string): Promise<string> => {
    writeFileSync(file, text);
    await promisify(execFile)(process.execPath, [script, file]);
    return readFileSync(file, 'utf8');
  };
  expect(await runScript(page)).toBe(page);
  const stale = page.replaceAll('--> expired', '--> gone').replace('# Lifecycles', '# Another title');
  expect(await runScript(stale)).toBe(page.replace('# Lifecycles', '# Another title'));
  const withoutDiagrams = page.replace(/(?<=<!-- lifecycle: \w+ -->\n).*?(?=<!-- end -->)/gs, '');
  expect(await runScript(withoutDiagrams)).toBe(page);
});
