import type { Scenario } from '../../../domain/scenario.js';

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** A scenario in the format of its files: YAML, in which values are JSON. */
export function scenarioText({ name, description, for: resource, trigger, steps }: Scenario): string {
  return [
    `name: ${JSON.stringify(name)}`,
    `description: ${JSON.stringify(description)}`,
    `for: ${resource}`,
    ...(trigger === undefined ? [] : [`trigger: ${JSON.stringify(trigger)}`]),
    'steps:',
    ...steps.map((step) => {
      const options = Object.keys(step.with).length === 0 ? '' : `, with: ${JSON.stringify(step.with)}`;
      return `  - { after: ${durationText(step.after)}, do: ${step.do}${options} }`;
    }),
    '',
  ].join('\n');
}

/** The duration in the largest unit that divides it: `36h`. */
function durationText(milliseconds: number): string {
  const [unit, size] = units.find(([, length]) => milliseconds >= length && milliseconds % length === 0) ?? [
    's',
    1_000,
  ];
  return milliseconds === 0 ? '0' : `${milliseconds / size}${unit}`;
}
