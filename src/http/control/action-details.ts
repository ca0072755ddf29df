import type { LogDetails } from '../../domain/activity.js';
import { parseChoice } from '../../domain/choices.js';
import { gapRegistry } from '../../generated/gap-registry.js';
import { memberOf } from '../../lib/json.js';
import type { Choices } from '../../openapi/profile.js';
import type { AccountRecord, ClockState } from '../../simulation/state/changes.js';
import { formatDuration, formatTime } from '../../text/format.js';

/**
 * Returns a callback for the start of an advance, which logs its details: `by 8 d to 2026-03-09 09:00:00, frozen`.
 * @param mode the new mode of the clock, if it is set, too
 */
export function logAdvance(logDetails: LogDetails, mode?: ClockState['mode']): (from: string, to: string) => void {
  return (from, to) => {
    const duration = formatDuration(Date.parse(to) - Date.parse(from), Number.POSITIVE_INFINITY);
    logDetails(`by ${duration} to ${formatTime(to)}${mode === undefined ? '' : `, ${modeText(mode)}`}`);
  };
}

/** Describes the mode of a clock. */
export function modeText(mode: ClockState['mode']): string {
  return mode === 'frozen' ? 'frozen' : 'running';
}

/** Settings to be changed; undefined for those that stay. */
interface ChangedSettings {
  readonly webhookUrl?: string | null | undefined;
  readonly webhookSecret?: string | undefined;
  readonly rateLimit?: boolean | undefined;
  readonly choices?: Choices | undefined;
}

/** Describes a change of settings: `webhook URL http://127.0.0.1:8080/webhooks, rate limit off`. */
export function settingsDetails(
  { webhook_url, webhook_secret, rate_limit, profile }: AccountRecord,
  {
    webhookUrl = webhook_url,
    webhookSecret = webhook_secret,
    rateLimit = rate_limit,
    choices = profile,
  }: ChangedSettings,
): string {
  const changes = [
    ...(webhookUrl === webhook_url ? [] : [webhookUrl === null ? 'no webhook URL' : `webhook URL ${webhookUrl}`]),
    ...(webhookSecret === webhook_secret ? [] : ['new webhook secret']),
    ...(rateLimit === rate_limit ? [] : [`rate limit ${rateLimit ? 'on' : 'off'}`]),
    ...changedChoices(profile, choices),
  ];
  return changes.length === 0 ? 'no changes' : changes.join(', ');
}

/** Describes the choices of a profile that change: `deposit.window week → for 30d`. */
function changedChoices(previous: Choices, next: Choices): string[] {
  return Object.entries(gapRegistry).flatMap(([gap, { default: defaultChoice }]) => {
    const [from, to] = [previous, next].map((choices) => choiceText(memberOf(choices, gap) ?? defaultChoice));
    return from === to ? [] : [`${gap} ${from} → ${to}`];
  });
}

function choiceText(choice: unknown): string {
  const { name, value } = parseChoice(choice);
  if (value === undefined) return name;
  return `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}
