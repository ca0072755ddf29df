// Writes the table of effects anew into openapi/control.yaml, or into the file that is named. Run by `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSource } from '../support/load-source.mjs';

const { effectStages } = await loadSource('domain/faults.ts');
const { effects } = await loadSource('faults/index.ts');

const [, , file = fileURLToPath(new URL('../../openapi/control.yaml', import.meta.url))] = process.argv;

const rows = effects.map(({ name, summary, example, options }) => {
  const known = Object.keys(options).map((option) => `\`${option}\``);
  return `| \`${name}\` | ${effectStages[name]} | ${summary} | \`${example}\` | ${known.join(', ')} |`;
});
const table = [
  '| Effect | Takes place on | What happens | Such as | Options |',
  '| --- | --- | --- | --- | --- |',
  ...rows,
];
const place = /(?<=^ {4}EffectName:\n(?: {6}.*\n)* {6}description: \|\n)(?: {8}.*\n)+/m;
const text = readFileSync(file, 'utf8');
if (!place.test(text)) throw new Error(`${file} has no place for the table`);
writeFileSync(
  file,
  text.replace(place, () => table.map((line) => `        ${line}\n`).join('')),
);
