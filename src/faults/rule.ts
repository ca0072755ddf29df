import { formatInstant } from '../domain/dates.js';
import { GrammarError, parseShortForm } from '../domain/fault-grammar.js';
import {
  type Effect,
  type EffectName,
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
import { durationHint } from '../lib/durations.js';
import { isDeeperThan, isRecord, parseJson } from '../lib/json.js';
import { quote } from '../lib/messages.js';
import { firstSchemaError, kindOf } from '../lib/schema-errors.js';
import { InputError } from '../lib/user-error.js';
import { conditions, type EffectDescription } from './effect.js';
import { effects } from './index.js';
import { duration, millisecondsOf, optionsValidator } from './options.js';
import { maintenanceMs } from './requests/maintenance.js';
import { bodilessStatuses } from './requests/reply.js';

/**
 * Thrown for a value that is not a valid fault. The message is one line, usually a location and the reason:
 * `match.every: must be 1 or more`.
 */
export class FaultError extends InputError {
  override readonly name = 'FaultError';
}

const effectNames = effects.map(({ name }) => name);

/** Thrown for an unknown effect. The message suggests a similar name, or else lists `listedNames`. */
export class UnknownEffectError extends FaultError {
  readonly effect: string;

  constructor(path: readonly string[], effect: string, listedNames: readonly EffectName[] = effectNames) {
    const suggestion = didYouMean(effect, effectNames, { listKnown: 'never' }) || didYouMean(effect, listedNames);
    super(path, `unknown effect ${quote(effect)}${suggestion}`);
    this.effect = effect;
  }
}

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

const pattern = { type: 'string', minLength: 1, maxLength: 200 };
const count = { type: 'integer', minimum: 1, maximum: 1_000_000 };

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
        path: { ...pattern, pattern: '^[/*]', 'x-form': 'path (for example /deposits/8/capture or /invoices*)' },
        status: {
          type: ['integer', 'string'],
          minimum: 200,
          maximum: 599,
          pattern: '^[2-5]xx$',
          'x-form': 'status (for example the number 503 or the string 5xx)',
        },
        token: pattern,
        event: pattern,
        body: {
          type: 'object',
          minProperties: 1,
          additionalProperties: { type: ['string', 'number', 'boolean'], 'x-form': 'string, number, true or false' },
        },
        nth: count,
        every: count,
        probability: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
      },
    },
    times: count,
    until: {
      type: 'string',
      'x-instant': true,
      'x-form': 'date or time (for example 2026-03-01 or 2026-03-01T09:00:00Z)',
    },
    for: duration,
  },
  ['effect'],
);

/**
 * Validates a fault, and parses its effects, its end and its duration.
 * @param account undefined if the account is not known yet, as in a scenario file
 * @throws FaultError
 */
export function readFault(value: unknown, account?: FaultContext): FaultRule {
  if (typeof value === 'string') throw bareEffectError(value);
  const checked = checkAllButEffects(toJson(value, []));
  if ('errors' in checked) throw faultError([], checked.errors);
  const { effect, match, times = null, until, for: activeFor } = checked.options;
  if (until !== undefined && activeFor !== undefined)
    throw new FaultError(['for'], 'for: cannot be combined with `until`');
  const activeForMs = activeFor === undefined ? null : millisecondsOf(activeFor);
  if (activeForMs === 0) throw new FaultError(['for'], 'for: must be longer than 0');
  if (until !== undefined && account && Date.parse(until) <= account.now) {
    const now = formatInstant(account.now);
    throw new FaultError(['until'], `until: must be later than the account's time, which is ${now}`);
  }
  const parsedEffects = readEffectList(effect);
  return {
    effects: parsedEffects,
    match: checkMatch(match, parsedEffects, account?.tokenNames),
    times,
    until: until === undefined ? null : new Date(until).toISOString(),
    for: activeForMs ?? (until === undefined ? durationOf(parsedEffects) : null),
  };
}

/**
 * Duration of a fault whose end is not given, in milliseconds: maintenance is over when its Retry-After says so. Null
 * for other effects, which do not end by themselves.
 * @throws FaultError
 */
function durationOf(parsedEffects: readonly Effect[]): number | null {
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

/** Parses effects in the short form, as an object, or as a list of these. @throws FaultError */
export function readEffects(value: unknown): Effect[] {
  return readEffectList(toJson(value, ['effect']));
}

function readEffectList(value: unknown): Effect[] {
  const parsedEffects = Array.isArray(value)
    ? value.flatMap((item, index) => readStringOrObject(item, ['effect', String(index)]))
    : readStringOrObject(value, ['effect']);
  if (parsedEffects.length === 0 || parsedEffects.length > 10)
    throw new FaultError(['effect'], `effect: must contain 1 to 10 effects, not ${parsedEffects.length}`);
  const kinds = new Set(parsedEffects.map(({ name }) => kindByStage[effectStages[name]]));
  if (kinds.size > 1) {
    throw new FaultError(
      ['effect'],
      `effect: ${[...kinds].join(' and ')} cannot be combined in one fault; add two faults`,
    );
  }
  const [shortCircuit, secondShortCircuit] = parsedEffects.filter(({ name }) => effectStages[name] === 'request');
  if (shortCircuit && secondShortCircuit) {
    const names = `${shortCircuit.name} and ${secondShortCircuit.name}`;
    const reason = `${names} both replace the handling of the request; a fault can have only one such effect`;
    throw new FaultError(['effect'], `effect: ${reason}`);
  }
  const descriptions = parsedEffects.map(({ name }) => requireEffect(name, ['effect']));
  for (const { name, needs } of descriptions) {
    const other = needs && descriptions.find(({ prevents }) => prevents?.includes(needs));
    if (!other) continue;
    const reason = `${name} needs ${conditions[needs]}, and ${other.name} prevents that`;
    throw new FaultError(['effect'], `effect: ${reason}; they cannot be combined in one fault`);
  }
  return parsedEffects;
}

/**
 * For each stage (see `FaultStage`), the kind of its effects. A fault can combine only effects of the same kind. The
 * stages `request` and `response` have the same kind, since both apply to requests.
 */
const kindByStage = {
  request: 'effects on requests',
  response: 'effects on requests',
  message: 'effects on webhooks',
  attempt: 'effects on attempts',
};

/** Matchers that apply only to webhooks, or only to requests. */
const exclusiveMatchers = {
  webhooks: ['event'],
  requests: ['operation', 'method', 'path', 'status', 'token'],
} as const;

/**
 * Checks that a fault can fire: that its matchers fit its effects, which are all of one kind, and can match something.
 * Only webhooks have an `event`, for example.
 * @returns the matchers, unchanged
 * @throws FaultError
 */
function checkMatch(
  match: FaultMatcher,
  [firstEffect]: readonly Effect[],
  tokenNames: readonly string[] | undefined,
): FaultMatcher {
  const stage = firstEffect && effectStages[firstEffect.name];
  const appliesToRequests = stage === 'request' || stage === 'response';
  const unsupportedKey = exclusiveMatchers[appliesToRequests ? 'webhooks' : 'requests'].find(
    (key) => match[key] !== undefined,
  );
  if (unsupportedKey !== undefined) {
    const kind = appliesToRequests ? 'requests' : 'webhooks';
    throw new FaultError(
      ['match', unsupportedKey],
      `match.${unsupportedKey}: ${firstEffect?.name} applies to ${kind}, which have no ${unsupportedKey}`,
    );
  }
  const { nth, every } = match;
  if (nth !== undefined && every !== undefined && nth % every !== 0) {
    const reason = `the fault would never fire, since \`nth\` (${nth}) is not a multiple of \`every\` (${every})`;
    throw new FaultError(['match', 'every'], `match.every: ${reason}`);
  }
  checkPath(match.path);
  checkName('event', match.event, eventNames);
  if (tokenNames !== undefined) checkName('token', match.token, tokenNames);
  return match;
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

/** Parses effects in the short form, or a single effect as an object. */
function readStringOrObject(value: unknown, path: readonly string[]): Effect[] {
  if (typeof value === 'string') return readShortForm(value, path);
  if (!isRecord(value)) {
    const kind = kindOf(value);
    throw new FaultError(path, `effect: must be a string (for example status=503) or a mapping, not ${kind}`);
  }
  const { name, ...options } = value;
  if (name === undefined) throw new FaultError(path, 'effect: `name` is missing');
  return [readEffect(name, options, path)];
}

function readShortForm(text: string, path: readonly string[]): Effect[] {
  try {
    return requireFlat(parseShortForm(text), path).map(({ name, value, options }) => {
      const effect = requireEffect(name, path);
      if (value === undefined) return readEffect(name, numbersToStrings(effect, options), path);
      const { valueOption } = effect;
      if (valueOption === undefined)
        throw new FaultError(path, `${effect.name}: takes only named options, not a value`);
      if (Object.hasOwn(options, valueOption))
        throw new FaultError(path, `${effect.name}: ${valueOption} is given twice`);
      return readEffect(name, numbersToStrings(effect, { [valueOption]: value, ...options }), path);
    });
  } catch (error) {
    if (error instanceof GrammarError) throw new FaultError(path, `effect: ${error.message}`);
    throw error;
  }
}

/** Converts numbers to strings in options that must be strings: the short form `type=1` means the string `1`. */
function numbersToStrings({ options: schemas }: EffectDescription, options: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(options).map(([name, value]) => {
    const mustBeString = Object.hasOwn(schemas, name) && schemas[name]?.['type'] === 'string';
    return [name, mustBeString && typeof value === 'number' ? `${value}` : value];
  });
  return Object.fromEntries(entries);
}

function readEffect(name: unknown, options: object, path: readonly string[]): Effect {
  const effect = requireEffect(name, path);
  const errors = effect.check(options);
  if (errors.length > 0) {
    const hint = Object.keys(options).length === 0 ? `; for example ${effect.example}` : '';
    throw faultError([effect.name], errors, path, hint);
  }
  const parsedEffect = { name: effect.name, ...options };
  checkBody(parsedEffect, path);
  return parsedEffect;
}

/**
 * Finds what is wrong with an effect that was stored. An unknown name is not an error here, since the schema of stored
 * rows lists the names.
 * @returns an error such as `duplicate.count: must be 2 or more`; undefined if the effect can be applied
 */
export function storedEffectError(value: unknown): string | undefined {
  const { name, ...options } = isRecord(value) ? value : {};
  const effect = effects.find((candidate) => candidate.name === name);
  if (!effect) return undefined;
  if (isDeeperThan(maxDepth, options)) return tooDeep([]).message;
  const errors = effect.check(options);
  return errors.length === 0 ? undefined : faultError([effect.name], errors).message;
}

/** Checks that the body of a response that a user has written can be sent. @throws FaultError */
function checkBody({ name, ...options }: Effect, path: readonly string[]): void {
  const { status } = options;
  if (name !== 'status' || typeof status !== 'number' || !bodilessStatuses.has(status)) return;
  const option = ['body', 'error'].find((key) => options[key] !== undefined && options[key] !== '');
  if (option === undefined) return;
  throw new FaultError([...path, option], `status.${option}: a response with status ${status} has no body`);
}

/** Finds an effect by its name. @throws FaultError if there is none */
function requireEffect(name: unknown, path: readonly string[]): (typeof effects)[number] {
  const effect = effects.find((candidate) => candidate.name === name);
  if (effect) return effect;
  if (typeof name !== 'string') throw new FaultError(path, `effect: name must be a string, not ${kindOf(name)}`);
  throw new UnknownEffectError(path, name);
}

/** Maximum nesting depth of a fault. Recursion over a deeper value could overflow the stack. */
const maxDepth = 20;

/** Copies a value through JSON, since faults are stored as JSON. @throws FaultError */
function toJson(value: unknown, path: readonly string[]): unknown {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    // Before Node 26, JSON.stringify overflows the stack for a deep value.
    throw error instanceof RangeError ? tooDeep(path) : new FaultError(path, 'cannot be written as JSON');
  }
  return requireFlat(parseJson(json ?? 'null'), path);
}

/** Returns the value unchanged. @throws FaultError if it is nested too deeply */
function requireFlat<Value>(value: Value, path: readonly string[]): Value {
  if (isDeeperThan(maxDepth, value)) throw tooDeep(path);
  return value;
}

const tooDeep = (path: readonly string[]): FaultError =>
  new FaultError(path, `must not be nested more than ${maxDepth} levels deep`);

/**
 * Words that messages use instead of keys: "unknown way `x`" for the `how` option of malformed-json, "unknown value
 * `x`" for the `what` option of drop, "unknown operation `x`" for `op` of a JSON Patch.
 */
const keyNames = { how: 'way', what: 'value', op: 'operation' };

/**
 * Converts schema errors to a `FaultError`.
 * @param within location that the message shows before the location of the error
 * @param path location of the checked value in the whole fault
 * @param hint text to append to the reason; empty for none
 */
function faultError(
  within: readonly string[],
  errors: Parameters<typeof firstSchemaError>[0],
  path = within,
  hint = '',
): FaultError {
  const error = firstSchemaError(errors, keyNames, durationHint);
  const reason = `${error.reason}${hint}`;
  const location = [...within, ...error.shownPath].join('.');
  return new FaultError([...path, ...error.path], location === '' ? reason : `${location}: ${reason}`);
}
