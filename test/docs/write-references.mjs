// Generates docs/commands.md, docs/clauses.md and openapi/config.schema.json from the sources, and updates the diagrams in
// docs/lifecycles.md and the table of effects in openapi/control.yaml. Run by `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadSource } from '../support/load-source.mjs';

const { commandReference } = await loadSource('test/docs/command-reference.ts');
const { configSchema } = await loadSource('test/docs/config-schema.ts');
const { clauseTable } = await loadSource('test/docs/clause-table.ts');
const { withDiagrams } = await loadSource('test/docs/diagrams.ts');
const { withEffectsTable } = await loadSource('test/docs/effects-table.ts');

const urlOf = (path) => new URL(`../../${path}`, import.meta.url);
const write = (path, text) => writeFileSync(urlOf(path), text);
const update = (path, change) => write(path, change(readFileSync(urlOf(path), 'utf8')));

write('docs/commands.md', await commandReference());
write('openapi/config.schema.json', `${JSON.stringify(await configSchema(), null, 2)}\n`);
write('docs/clauses.md', clauseTable());
update('docs/lifecycles.md', withDiagrams);
update('openapi/control.yaml', withEffectsTable);
