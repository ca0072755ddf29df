import type { ListedFault } from '../../simulation/faults/faults.js';
import { describeFaultCounts, describeFaultScope } from '../../text/fault-text.js';
import { formatCount, formatTime } from '../../text/format.js';
import type { SimulatorAccount } from '../account.js';
import type { Webhook } from '../webhooks.js';

type LoggedRequest = Awaited<ReturnType<SimulatorAccount['requests']>>[number];

/** Maximum number of entries per list. The most recent ones usually show why a test failed. */
const maxListed = 20;

/** Formats the clock of an account, its latest requests and webhooks, and the faults that have not been cleared. */
export async function formatAccountLog(account: SimulatorAccount): Promise<string> {
  const [{ now, mode }, requests, webhooks, faults] = await Promise.all([
    account.clock.show(),
    account.requests(),
    account.webhooks.all(),
    account.faults.list(),
  ]);
  return [
    `billing-sim: account ${account.id}, clock ${mode === 'frozen' ? 'frozen at' : 'at'} ${formatTime(now)} UTC`,
    ...formatSection('request', requests.toReversed().map(formatRequest)),
    ...formatSection('webhook', webhooks.map(formatWebhook)),
    ...(faults.length === 0 ? [] : formatSection('fault', faults.map(formatFault))),
  ].join('\n');
}

/** A heading such as `2 requests:`, then a line for each of the most recent entries, the newest last. */
function formatSection(noun: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [`No ${noun}s.`];
  const omitted = lines.length - maxListed;
  const heading =
    omitted > 0 ? `The last ${maxListed} of ${formatCount(lines.length, noun)}` : formatCount(lines.length, noun);
  return [`${heading}:`, ...lines.slice(-maxListed).map((line) => `  ${line}`)];
}

/** `404 GET /api/v1/deposits/9: Deposit not found`. */
function formatRequest({ status, method, path, error, faults }: LoggedRequest): string {
  const outcome = error === null ? '' : `: ${error}`;
  return `${status ?? 'no response'} ${method} ${path}${outcome}${faults.length === 0 ? '' : ` (${faults.join(', ')})`}`;
}

/**
 * `deposit.expired evt_9c02da621803738350a6b644: failed, 401 on attempt 8`, or `…, not sent: no webhook URL was set`.
 */
function formatWebhook({ id, event, status, attempts }: Webhook): string {
  const last = attempts.at(-1);
  const outcome = last === undefined ? '' : `, ${last.status ?? last.error} on attempt ${attempts.length}`;
  if (status === 'unsent') return `${event} ${id}, not sent: no webhook URL was set`;
  return `${event} ${id}: ${status}${outcome}`;
}

/** `latency: every request, matched 3, fired 1`. */
function formatFault(fault: ListedFault): string {
  return `${fault.effects.map(({ name }) => name).join(' ')}: ${describeFaultScope(fault)}, ${describeFaultCounts(fault)}`;
}
