import type { components } from '../../generated/control-types.js';
import { columns } from '../support/output.js';

type Stage = components['schemas']['FaultStage'];
export type DescribedEffect = components['schemas']['DescribedEffect'];

const headings: Readonly<Record<Stage, string>> = {
  request: 'Instead of handling a request:',
  response: 'On the response, after the request was handled:',
  message: 'On a webhook, before the first attempt:',
  attempt: 'On every attempt to deliver a webhook:',
};

/** Formats the effects, grouped by the stage at which they apply. */
export function formatEffects(effects: readonly DescribedEffect[]): string {
  const blocks = Object.entries(headings).flatMap(([stage, heading]) => {
    const rows = effects.filter((effect) => effect.stage === stage).flatMap(rowsOf);
    return rows.length === 0 ? [] : ([[heading, rows]] as const);
  });
  // A single table, so that the columns of all blocks are aligned.
  const lines = columns(blocks.flatMap(([, rows]) => rows)).split('\n');
  return blocks.map(([heading, rows]) => [heading, ...lines.splice(0, rows.length)].join('\n')).join('\n\n');
}

function rowsOf({ name, summary, example, options }: DescribedEffect): string[][] {
  const remarks = [
    ...(example === name ? [] : [`for example ${example}`]),
    ...Object.entries(options).map(
      ([option, { description, default: defaultValue }]) =>
        `- ${option}: ${description}${defaultValue === undefined ? '' : ` (default: ${defaultValue})`}`,
    ),
  ];
  return [[`  ${name}`, summary], ...remarks.map((remark) => ['', remark])];
}
