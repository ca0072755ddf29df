import type { components } from '../../generated/control-types.js';
import { formatStep, summaryOf } from '../../text/receipt-text.js';
import { columns, formatDuration, formatTime } from './output.js';

type Receipt = components['schemas']['Receipt'];

/** Text of a receipt: what happened, in order and at the account's times, then the totals. */
export function formatReceipt({ from, to, steps, unsettled }: Receipt): string {
  const lines =
    steps.length === 0 ? [] : [columns(steps.map((step) => [formatTime(step.at), ...formatStep(step)])), ''];
  lines.push(
    `${formatDuration(Date.parse(to) - Date.parse(from))} from ${formatTime(from)} to ${formatTime(to)}: ${summaryOf(steps)}`,
  );
  if (unsettled.length > 0) lines.push(`Still in progress: ${unsettled.join(', ')}`);
  return lines.join('\n');
}
