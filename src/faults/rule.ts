import { formatInstant } from '../domain/dates.js';
import {
  type Effect,
  effectStages,
  type FaultContext,
  type FaultMatcher,
  type FaultRule,
  requestMethods,
} from '../domain/faults.js';
import { matchesWildcard } from '../domain/matches-wildcard.js';
import { eventNames } from '../domain/records.js';
import { operationIds } from '../generated/billing-document.js';
import { didYouMean } from '../lib/did-you-mean.js';
import { memberOf } from '../lib/json.js';
import { quote } from '../lib/messages.js';
import { errorsOf, FaultError, joinErrors, schemaErrors, toJson } from './fault-error.js';
import { duration, millisecondsOf, optionsValidator } from './options.js';
import { readEffects, readJsonEffects } from './read-effects.js';
import { maintenanceMs } from './requests/maintenance.js';

/** A fault as written by users. */
export interface NewFault {
  /** Effects in the short form, such as `latency=200ms;max=2s`, as an object with options, or as a list of these. */
  readonly effect: string | Effect | readonly (string | Effect)[];
  /** Matchers; default: everything that the effect applies to. */
  readonly match?: FaultMatcher;
  /** Maximum number of times that it fires; default: no limit. */
  readonly times?: number;
  /** Time at which it ends, on the account's clock: ISO 8601 with UTC offset, or a date, which means its midnight in UTC. */
  readonly until?: string;
  /** Duration for which it is active, on the account's clock: `30s`, `2h`, `8d`. */
  readonly for?: string;
}

/** A fault whose effects have not been validated yet. */
type FaultWithUncheckedEffects = Omit<NewFault, 'effect'> & { readonly effect: unknown; readonly match: FaultMatcher };

const wildcardSchema = { type: 'string', minLength: 1, maxLength: 200 };
const countSchema = { type: 'integer', minimum: 1, maximum: 1_000_000 };

const checkAllButEffects = optionsValidator<FaultWithUncheckedEffects>(
  {
    effect: {},
    match: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        operation: { enum: operationIds },
        method: { enum: requestMethods },
        path: {
          ...wildcardSchema,
          pattern: '^[/*]',
          'x-expected': 'path (for example /deposits/8/capture or /invoices*)',
        },
        status: {
          type: ['integer', 'string'],
          minimum: 200,
          maximum: 599,
          pattern: '^[2-5]xx$',
          'x-expected': 'status (for example the number 503 or the string 5xx)',
        },
        token: wildcardSchema,
        event: wildcardSchema,
        body: {
          type: 'object',
          minProperties: 1,
          additionalProperties: {
            type: ['string', 'number', 'boolean'],
            'x-expected': 'string, number, true or false',
          },
        },
        nth: countSchema,
        every: countSchema,
        probability: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
      },
    },
    times: countSchema,
    until: {
      type: 'string',
      'x-instant': true,
      'x-expected': 'date or time (for example 2026-03-01 or 2026-03-01T09:00:00Z)',
    },
    for: duration,
  },
  ['effect'],
);

/**
 * Validates a fault, and parses its effects, its end and its duration.
 * @param account undefined if the account is not known yet, as in a scenario file
 * @throws FaultError about the first invalid part, with the errors about the others
 */
export function readFault(value: unknown, account?: FaultContext): FaultRule {
  if (typeof value === 'string') throw bareEffectError(value);
  const json = toJson(value, []);
  const checked = checkAllButEffects(json);
  if ('errors' in checked) {
    const effect = memberOf(json, 'effect');
    const effectErrors = effect === undefined ? [] : errorsOf(() => readJsonEffects(effect));
    throw joinErrors([...schemaErrors(checked.errors), ...effectErrors]);
  }
  const { effect, match, times = null, until, for: activeFor } = checked.options;
  const activeForMs = activeFor === undefined ? null : millisecondsOf(activeFor);
  let parsedEffects: readonly Effect[] = [];
  let maintenanceDurationMs: number | null = null;
  const effectErrors = errorsOf(() => {
    parsedEffects = readJsonEffects(effect);
    maintenanceDurationMs = maintenanceDurationOf(parsedEffects);
  });
  const errors = [
    ...periodErrors(until, activeForMs, account),
    ...effectErrors,
    ...matchErrors(match, parsedEffects[0], account?.tokenNames),
  ];
  if (errors.length > 0) throw joinErrors(errors);
  return {
    effects: parsedEffects,
    match,
    times,
    until: until === undefined ? null : new Date(until).toISOString(),
    for: activeForMs ?? (until === undefined ? maintenanceDurationMs : null),
  };
}

/** Returns the error about the end or the duration of a fault, if there is one. */
function periodErrors(
  until: string | undefined,
  activeForMs: number | null,
  account: FaultContext | undefined,
): FaultError[] {
  if (until !== undefined && activeForMs !== null)
    return [new FaultError(['for'], 'for: cannot be combined with `until`')];
  if (activeForMs === 0) return [new FaultError(['for'], 'for: must be longer than 0')];
  if (until === undefined || !account || Date.parse(until) > account.now) return [];
  const now = formatInstant(account.now);
  return [new FaultError(['until'], `until: must be later than the account's time, which is ${now}`)];
}

/**
 * Duration of maintenance in milliseconds, after which a fault without another end is over. Validated in any case. Null
 * if no effect is maintenance.
 * @throws FaultError
 */
function maintenanceDurationOf(parsedEffects: readonly Effect[]): number | null {
  const effect = parsedEffects.find(({ name }) => name === 'maintenance');
  if (!effect) return null;
  const milliseconds = maintenanceMs(effect['for']);
  if (milliseconds === 0) throw new FaultError(['effect', 'for'], 'maintenance.for: must be longer than 0');
  return milliseconds;
}

/**
 * Returns the error for a fault that is only an effect: `status=503` instead of `{"effect":"status=503"}`.
 * @throws FaultError if the string is not a valid effect either
 */
function bareEffectError(effect: string): FaultError {
  readEffects(effect);
  return new FaultError([], `must be a mapping (for example ${JSON.stringify({ effect })}), not a string`);
}

/** Matchers that apply only to webhooks, or only to requests. */
const exclusiveMatchers = {
  webhooks: ['event'],
  requests: ['operation', 'method', 'path', 'status', 'token'],
} as const;

/**
 * Yields errors about matchers with which the fault could never fire: one that its effects do not support (only
 * webhooks have an `event`), or one that matches nothing.
 * @param firstEffect one is enough, since all effects of a fault are of the same kind; undefined if they are invalid
 */
function* matchErrors(
  match: FaultMatcher,
  firstEffect: Effect | undefined,
  tokenNames: readonly string[] | undefined,
): Generator<FaultError> {
  const unsupportedErrors = firstEffect ? unsupportedMatchers(match, firstEffect) : [];
  yield* unsupportedErrors;
  const { nth, every } = match;
  if (nth !== undefined && every !== undefined && nth % every !== 0) {
    const reason = `the fault would never fire, since \`nth\` (${nth}) is not a multiple of \`every\` (${every})`;
    yield new FaultError(['match', 'every'], `match.every: ${reason}`);
  }
  const isSupported = (key: keyof FaultMatcher): boolean => !unsupportedErrors.some(({ path }) => path[1] === key);
  if (isSupported('path')) yield* errorsOf(() => checkPath(match.path));
  if (isSupported('event')) yield* errorsOf(() => checkName('event', match.event, eventNames));
  if (isSupported('token') && tokenNames !== undefined)
    yield* errorsOf(() => checkName('token', match.token, tokenNames));
}

function unsupportedMatchers(match: FaultMatcher, { name }: Effect): FaultError[] {
  const stage = effectStages[name];
  const appliesToRequests = stage === 'request' || stage === 'response';
  const kind = appliesToRequests ? 'requests' : 'webhooks';
  return exclusiveMatchers[appliesToRequests ? 'webhooks' : 'requests']
    .filter((key) => match[key] !== undefined)
    .map((key) => new FaultError(['match', key], `match.${key}: ${name} applies to ${kind}, which have no ${key}`));
}

/** Checks that a path is written in the form that is matched: below `/api/v1`, without a query. @throws FaultError */
function checkPath(path: string | undefined): void {
  if (path === undefined) return;
  const matchedPart = path.replace(/\?.*/, '').replace(/^\/api\/v1(?=[/*]|$)/, '');
  if (matchedPart === path) return;
  const start = /^[/*]/.test(matchedPart) ? '' : '/';
  throw new FaultError(
    ['match', 'path'],
    `match.path: ${quote(path)} never matches, as paths are matched below /api/v1 and without the query; use ${quote(start + matchedPart)}`,
  );
}

/** Checks that a matcher, in which `*` matches anything, matches at least one of the known names. @throws FaultError */
function checkName(key: 'event' | 'token', wildcard: string | undefined, knownNames: readonly string[]): void {
  if (wildcard === undefined || knownNames.some((name) => matchesWildcard(wildcard, name))) return;
  throw new FaultError(['match', key], `match: unknown ${key} ${quote(wildcard)}${didYouMean(wildcard, knownNames)}`);
}
