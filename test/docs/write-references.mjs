// Generates docs/commands.md and openapi/config.schema.json from the commands themselves. Run by `npm run docs`.
import { writeFileSync } from 'node:fs';
import { loadSource } from '../support/load-source.mjs';

const { commandReference } = await loadSource('test/docs/command-reference.ts');
const { configSchema } = await loadSource('test/docs/config-schema.ts');

const write = (path, text) => writeFileSync(new URL(`../../${path}`, import.meta.url), text);

write('docs/commands.md', await commandReference());
write('openapi/config.schema.json', `${JSON.stringify(await configSchema(), null, 2)}\n`);
