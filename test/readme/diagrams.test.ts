import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { lifecycleDiagram } from '../../src/text/diagram.js';
import { tempFolder } from '../support/temp-folder.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** What stands between the marks of a diagram in README. */
function drawn(name: string): string | undefined {
  return new RegExp(`<!-- lifecycle: ${name} -->\n\n(.*?)\n\n<!-- end -->`, 's').exec(readme)?.[1];
}

test.each(['deposit', 'payment', 'invoice'] as const)('README shows the lifecycle of a %s as it is', (name) => {
  const block = `\`\`\`mermaid\n${lifecycleDiagram(name)}\n\`\`\``;
  expect(drawn(name), 'the diagrams in README.md are stale: run `npm run diagrams`').toBe(block);
});

test('what draws them draws a stale one anew, and leaves all else as it is', async () => {
  const file = join(tempFolder(), 'README.md');
  const script = fileURLToPath(new URL('diagrams.mjs', import.meta.url));
  const redraw = async (text: string): Promise<string> => {
    writeFileSync(file, text);
    await promisify(execFile)(process.execPath, [script, file]);
    return readFileSync(file, 'utf8');
  };
  expect(await redraw(readme)).toBe(readme);
  const stale = readme.replaceAll('--> expired', '--> gone').replace('# billing-sim', '# another title');
  expect(await redraw(stale)).toBe(readme.replace('# billing-sim', '# another title'));
  const undrawn = readme.replace(/(?<=<!-- lifecycle: \w+ -->\n).*?(?=<!-- end -->)/gs, '');
  expect(await redraw(undrawn)).toBe(readme);
});
