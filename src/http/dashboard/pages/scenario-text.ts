import type { Scenario } from '../../../domain/scenario.js';

/** Units of durations with their length in milliseconds, the largest first. */
const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** A scenario as YAML, in the format of scenario files. Values are written as JSON, which is also YAML. */
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

/** A duration in the largest unit that divides it without a remainder: `36h`. */
function durationText(milliseconds: number): string {
  // No unit divides a duration with a fraction of a millisecond, so it is written in seconds.
  const [unit, unitMs] = units.find(([, lengthMs]) => milliseconds >= lengthMs && milliseconds % lengthMs === 0) ?? [
    's',
    1_000,
  ];
  return milliseconds === 0 ? '0' : `${milliseconds / unitMs}${unit}`;
}
