import type { components } from '../../generated/control-types.js';
import { formatCount } from '../../text/format.js';
import { describeRetryOutcome } from '../../text/lost-response-text.js';
import { columns } from '../support/output.js';

type Coverage = components['schemas']['Coverage'];

/** Formats a coverage report: a block for each topic, with hints on how to cover the missing items. */
export function formatCoverage(coverage: Coverage, command: FormatCommand): string {
  return blocks.map((block) => block(coverage, command)).join('\n\n');
}

/** Formats a command for the account of the report. */
type FormatCommand = (words: string) => string;

const blocks: readonly ((coverage: Coverage, command: FormatCommand) => string)[] = [
  ({ operations: { missing, unknown, all } }) =>
    titledBlock(
      `Operations: ${all.length - missing.length} of ${all.length} succeeded`,
      all.map(({ operation, method, path, calls, unanswered, statuses }) => [
        withMark(!missing.includes(operation), operation),
        `${method} ${path}`,
        calls === 0 ? '' : formatCount(calls, 'call'),
        [
          ...statuses.map(({ status, count }) => withCount(status, count)),
          ...countIfAny('no response', unanswered),
        ].join(', '),
      ]),
      unknown === 0 ? '' : `${formatCount(unknown, 'request')} to unknown operations`,
    ),

  ({ errors: { missing, unanswered, all } }, command) => {
    const [first] = missing;
    return titledBlock(
      `Errors: ${all.length} received, ${missing.length} documented but not received yet`,
      [
        ...all.map(({ status, count, operations }) => [
          withMark(true, withCount(status, count)),
          operations.join(', '),
        ]),
        ...countIfAny('no response', unanswered).map((text) => [withMark(true, text)]),
        ...(missing.length > 0 ? [[withMark(false, missing.join(', '))]] : []),
      ],
      first === undefined
        ? ''
        : `make the next request fail with ${first}: ${command(`fault add status=${first} --times 1`)}`,
    );
  },

  ({ faults: { missing, all } }, command) => {
    const injected = all.filter(({ count }) => count > 0).map(({ effect, count }) => withCount(effect, count));
    return titledBlock(
      `Faults: ${injected.length} of ${all.length} injected`,
      [
        ...(injected.length > 0 ? [[withMark(true, injected.join(', '))]] : []),
        ...(missing.length > 0 ? [[withMark(false, missing.join(', '))]] : []),
      ],
      missing.length > 0 ? `to see how to inject them, run: ${command('fault effects')}` : '',
    );
  },

  ({ events: { missing, all } }, command) =>
    titledBlock(
      `Events: ${all.length - missing.length} of ${all.length} accepted by the receiver`,
      all.map((event) => [
        withMark(event.delivered > 0, withCount(event.event, event.count)),
        [
          ...countIfAny('accepted', event.delivered),
          ...countIfAny('rejected', event.refused),
          ...countIfAny('unsent', event.unsent),
        ].join(', '),
        eventHint(event, command),
      ]),
    ),

  ({ transitions: { missing, all } }, command) =>
    titledBlock(
      `Deposit transitions: ${all.length - missing.length} of ${all.length} reached`,
      all.map(({ from, cause, to, count }) => [
        withMark(count > 0, withCount(`${from} → ${to} (${cause})`, count)),
        count > 0 ? '' : (transitionHints[cause]?.(command) ?? ''),
      ]),
    ),

  ({ scopes: { all } }) =>
    titledBlock(
      'Token scopes',
      all.map(({ name, calls, granted, unused, lacking }) => {
        const scopeProblems = [
          ...unused.map((scope) => `does not need ${scope}`),
          ...lacking.map(({ scope, operations }) => `lacks ${scope} for ${operations.join(', ')}`),
        ];
        const isUsed = calls > 0;
        return [
          withMark(isUsed ? scopeProblems.length === 0 : undefined, name),
          granted.join(', '),
          isUsed ? scopeProblems.join('; ') : 'not used',
        ];
      }),
    ),

  ({ keys: { all } }) =>
    titledBlock(
      'Idempotency keys',
      all.map(({ operation, calls, without }) => [
        withMark(calls === 0 ? undefined : without === 0, operation),
        calls === 0 ? 'not called' : `${without} of ${formatCount(calls, 'call')} without a key`,
      ]),
    ),

  ({ retries: { lost, missing, unsafe, safe } }, command) =>
    titledBlock(
      `Lost responses: ${lost}`,
      [...unsafe, ...missing, ...safe].map((response) => [
        withMark(safe.includes(response), response.request),
        response.operation,
        response.how,
        describeRetryOutcome(response),
      ]),
      lost > 0
        ? ''
        : `drop the next response with ${command('fault add lose-response --operation createDeposit --times 1')}`,
    ),

  ({ forged_webhooks: { sent, refused, accepted } }, command) =>
    titledBlock(
      `Forged webhooks: ${refused} of ${sent} rejected`,
      accepted.map(({ delivery, event, attempt, how, status }) => [
        withMark(false, 'accepted forged webhook'),
        delivery,
        event,
        how,
        `→ ${status} on attempt ${attempt}`,
      ]),
      sent > 0 ? '' : `forge the next one with ${command('fault add tamper-body --times 1')}`,
    ),
];

/** Commands and requests that cause each transition of a deposit. */
const transitionHints: Readonly<Record<string, (command: FormatCommand) => string>> = {
  authorize: (command) => command('deposit authorize ID'),
  decline: (command) => command('deposit decline ID'),
  expire: (command) => command('deposit expire ID'),
  capture: () => 'POST /deposits/{id}/capture',
  release: () => 'POST /deposits/{id}/release',
};

/** Suggests a command for an event that the receiver has not accepted. */
function eventHint(
  { event, count, unsent, delivered }: Coverage['events']['all'][number],
  command: FormatCommand,
): string {
  if (delivered > 0) return '';
  if (count === 0) return command(`trigger ${event}`);
  return unsent === count ? command('settings set --webhook-url URL') : command(`deliveries --event ${event}`);
}

function titledBlock(title: string, rows: readonly (readonly string[])[], hint = ''): string {
  const lines = [...(rows.length === 0 ? [] : columns(rows).split('\n')), ...(hint === '' ? [] : [hint])];
  return [title, ...lines.map((line) => `  ${line}`)].join('\n');
}

/** Prefixes text with ✓, ✗ or –. @param isMet undefined if there is nothing to judge, such as for an unused token */
function withMark(isMet: boolean | undefined, text: string): string {
  if (isMet === undefined) return `– ${text}`;
  return `${isMet ? '✓' : '✗'} ${text}`;
}

/** Formats a label with a count: `201 ×3`. A count of zero or one is omitted. */
function withCount(label: string | number, count: number): string {
  return count > 1 ? `${label} ×${count}` : `${label}`;
}

function countIfAny(label: string, count: number): string[] {
  return count === 0 ? [] : [withCount(label, count)];
}
