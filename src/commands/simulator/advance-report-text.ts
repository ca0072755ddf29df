import type { components } from '../../generated/control-types.js';
import { formatDuration, formatTime } from '../../text/format.js';
import { formatStep, summarizeSteps } from '../../text/step-text.js';
import { columns } from '../support/output.js';

type AdvanceReport = components['schemas']['AdvanceReport'];

/**
 * Formats the report of a clock advance: a line for each step with its time on the account's clock, then the totals.
 */
export function formatAdvanceReport({ from, to, steps, in_progress }: AdvanceReport): string {
  const lines =
    steps.length === 0 ? [] : [columns(steps.map((step) => [formatTime(step.at), ...formatStep(step)])), ''];
  lines.push(
    `${formatDuration(Date.parse(to) - Date.parse(from), Infinity)} from ${formatTime(from)} to ${formatTime(to)}: ${summarizeSteps(steps)}`,
  );
  if (in_progress.length > 0) lines.push(`Still in progress: ${in_progress.join(', ')}`);
  return lines.join('\n');
}
