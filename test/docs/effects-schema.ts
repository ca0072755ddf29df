import { effectStages } from '../../src/domain/faults.js';
import { effects } from '../../src/faults/index.js';

/** Matches the names of the effects and the table that describes them, in the schema `EffectName`. */
const generatedPattern = /(?<=^ {4}EffectName:\n {6}type: string\n)(?: {6}.*\n)+/m;

/** Returns the text of openapi/control.yaml with all effects in the schema `EffectName`. */
export function withEffectsSchema(document: string): string {
  if (!generatedPattern.test(document)) throw new Error('the document has no schema EffectName');
  const rows = effects.map(({ name, summary, example, options }) => {
    const optionNames = Object.keys(options).map((option) => `\`${option}\``);
    return `| \`${name}\` | ${effectStages[name]} | ${summary} | \`${example}\` | ${optionNames.join(', ')} |`;
  });
  const lines = [
    'enum:',
    ...Object.keys(effectStages).map((name) => `  - ${name}`),
    'description: |',
    '  | Effect | Stage | What happens | Example | Options |',
    '  | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `  ${row}`),
  ];
  return document.replace(generatedPattern, () => lines.map((line) => `      ${line}\n`).join(''));
}
