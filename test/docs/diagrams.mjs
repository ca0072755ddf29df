// Draws the lifecycles anew between their marks in docs/lifecycles.md, or in the file that is named. Run by `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSource } from '../support/load-source.mjs';

const { lifecycleDiagram } = await loadSource('text/diagram.ts');

const [, , file = fileURLToPath(new URL('../../docs/lifecycles.md', import.meta.url))] = process.argv;
const marked = /(<!-- lifecycle: (\w+) -->\n).*?(?=<!-- end -->)/gs;
const drawn = readFileSync(file, 'utf8').replace(
  marked,
  (_, mark, name) => `${mark}\n\`\`\`mermaid\n${lifecycleDiagram(name)}\n\`\`\`\n\n`,
);
writeFileSync(file, drawn);
