// Updates the effects in openapi/control.yaml from the sources. Run by `npm run docs`, before src/generated/ is made from
// this document.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadSource } from '../support/load-source.mjs';

const { withEffectsSchema } = await loadSource('test/docs/effects-schema.ts');

const document = new URL('../../openapi/control.yaml', import.meta.url);
writeFileSync(document, withEffectsSchema(readFileSync(document, 'utf8')));
