import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { sourceStack } from '../../src/lib/source-stack.js';
import { tempFolder } from '../support/temp-folder.js';

/** Creates an error with these stack frames. */
function errorAt(...frames: string[]): Error {
  return Object.assign(new Error('broken'), { stack: ['Error: broken', ...frames].join('\n') });
}

test.each(['clone', 'clone (2)'])(
  'a position in a bundle in the folder %s becomes the position in its source file',
  (name) => {
    const folder = join(tempFolder(), name);
    mkdirSync(folder);
    const bundleUrl = pathToFileURL(join(folder, 'server.js')).href;
    // Line 2, column 5 of the bundle is line 7, column 3 of the source. The next column and line are mapped, too.
    const map = { version: 3, sources: ['../src/server.ts'], names: [], mappings: ';IAME,CAAC;AACA' };
    writeFileSync(join(folder, 'server.js.map'), JSON.stringify(map));
    expect(sourceStack(errorAt(`    at start (${bundleUrl}:2:5)`))).toBe(
      `Error: broken\n    at start (${new URL('../src/server.ts', bundleUrl).href}:7:3)`,
    );
  },
);

test('a position outside of bundles is unchanged', () => {
  const frames = ['    at run (node:internal/modules:1:2)', '    at file:///no/such/file.js:3:4'];
  expect(sourceStack(errorAt(...frames))).toBe(['Error: broken', ...frames].join('\n'));
});
