// Generates docs/commands.md, docs/clauses.md, docs/control-api.md and openapi/config.schema.json from the sources and
// openapi/control.yaml, and updates the diagrams and the numbers of clauses and mutants on other pages. Run by
// `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { loadSource } from '../support/load-source.mjs';

const { commandReference } = await loadSource('test/docs/command-reference.ts');
const { configSchema } = await loadSource('test/docs/config-schema.ts');
const { clauseTable } = await loadSource('test/docs/clause-table.ts');
const { withDiagrams } = await loadSource('test/docs/diagrams.ts');
const { pagesWithCounts, withCounts } = await loadSource('test/docs/counts.ts');
const { controlReference } = await loadSource('test/docs/control-reference.ts');

const urlOf = (path) => new URL(`../../${path}`, import.meta.url);
const write = (path, text) => writeFileSync(urlOf(path), text);
const read = (path) => readFileSync(urlOf(path), 'utf8');
const update = (path, change) => write(path, change(read(path)));

write('docs/commands.md', await commandReference());
write('openapi/config.schema.json', `${JSON.stringify(await configSchema(), null, 2)}\n`);
write('docs/clauses.md', clauseTable());
update('docs/lifecycles.md', withDiagrams);
for (const page of pagesWithCounts) update(page, (text) => withCounts(page, text));
write('docs/control-api.md', controlReference(parse(read('openapi/control.yaml'))));
