import { effectStages } from '../../src/domain/faults.js';
import { effects } from '../../src/faults/index.js';

/** Matches the table, which is the description of the schema `EffectName`. */
const tablePattern = /(?<=^ {4}EffectName:\n(?: {6}.*\n)* {6}description: \|\n)(?: {8}.*\n)+/m;

/** Returns the text of openapi/control.yaml with a current table of effects. */
export function withEffectsTable(document: string): string {
  if (!tablePattern.test(document)) throw new Error('EffectName, where the table belongs, has no description');
  const rows = effects.map(({ name, summary, example, options }) => {
    const optionNames = Object.keys(options).map((option) => `\`${option}\``);
    return `| \`${name}\` | ${effectStages[name]} | ${summary} | \`${example}\` | ${optionNames.join(', ')} |`;
  });
  const table = ['| Effect | Stage | What happens | Example | Options |', '| --- | --- | --- | --- | --- |', ...rows];
  return document.replace(tablePattern, () => table.map((line) => `        ${line}\n`).join(''));
}
