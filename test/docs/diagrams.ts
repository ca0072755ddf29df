// Regenerates the lifecycle diagrams in docs/lifecycles.md, or in the file given as an argument. Run by `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSource } from '../support/load-source.mjs';

const { lifecycleDiagram } = await loadSource('src/text/diagram.ts');

const [, , file = fileURLToPath(new URL('../../docs/lifecycles.md', import.meta.url))] = process.argv;
/** Matches the comment before a diagram, with its name, and the text up to the comment after it. */
const markedDiagram = /(<!-- lifecycle: (\w+) -->\n).*?(?=<!-- end -->)/gs;
const updatedPage = readFileSync(file, 'utf8').replace(
  markedDiagram,
  (_, mark, name) => `${mark}\n\`\`\`mermaid\n${lifecycleDiagram(name)}\n\`\`\`\n\n`,
);
writeFileSync(file, updatedPage);
