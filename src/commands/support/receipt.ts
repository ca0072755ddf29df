import type { components } from '../../generated/control-types.js';
import { stepInWords, sumsOf } from '../../text/receipt-words.js';
import { columns, span, time } from './output.js';

type Receipt = components['schemas']['Receipt'];

/** A receipt as people read it: what came about, in its order and at the account's times, and the sums below. */
export function receiptInWords({ from, to, steps, unsettled }: Receipt): string {
  const lines = steps.length === 0 ? [] : [columns(steps.map((step) => [time(step.at), ...stepInWords(step)])), ''];
  lines.push(`${span(Date.parse(to) - Date.parse(from))} from ${time(from)} to ${time(to)}: ${sumsOf(steps)}`);
  if (unsettled.length > 0) lines.push(`Still in progress: ${unsettled.join(', ')}`);
  return lines.join('\n');
}
