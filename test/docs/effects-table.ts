// Regenerates the table of effects in openapi/control.yaml, or in the file given as an argument. Run by `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSource } from '../support/load-source.mjs';

const { effectStages } = await loadSource('src/domain/faults.ts');
const { effects } = await loadSource('src/faults/index.ts');

const [, , file = fileURLToPath(new URL('../../openapi/control.yaml', import.meta.url))] = process.argv;

const rows = effects.map(({ name, summary, example, options }) => {
  const optionNames = Object.keys(options).map((option) => `\`${option}\``);
  return `| \`${name}\` | ${effectStages[name]} | ${summary} | \`${example}\` | ${optionNames.join(', ')} |`;
});
const table = ['| Effect | Stage | What happens | Example | Options |', '| --- | --- | --- | --- | --- |', ...rows];
/** Matches the table, which is the description of the schema `EffectName`. */
const tablePattern = /(?<=^ {4}EffectName:\n(?: {6}.*\n)* {6}description: \|\n)(?: {8}.*\n)+/m;
const text = readFileSync(file, 'utf8');
if (!tablePattern.test(text)) throw new Error(`${file} has no description of EffectName, where the table belongs`);
writeFileSync(
  file,
  text.replace(tablePattern, () => table.map((line) => `        ${line}\n`).join('')),
);
