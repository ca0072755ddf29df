import { GrammarError, parseShortForm } from '../domain/fault-grammar.js';
import { type Effect, type EffectName, effectStages } from '../domain/faults.js';
import { didYouMean } from '../lib/did-you-mean.js';
import { isDeeperThan, isRecord, memberOf } from '../lib/json.js';
import { quote } from '../lib/messages.js';
import { kindOf } from '../lib/schema-errors.js';
import { conditions, type EffectDescription } from './effect.js';
import {
  FaultError,
  faultError,
  maxDepth,
  optionErrors,
  readEach,
  requireFlat,
  toJson,
  tooDeepError,
} from './fault-error.js';
import { effects } from './index.js';
import { bodilessStatuses } from './requests/reply.js';

const effectNames = effects.map(({ name }) => name);

/**
 * Parses effects in the short form, as an object, or as a list of these.
 * @param listedNames the names that the error about an unknown effect lists if none is similar
 * @throws FaultError about the first invalid effect; the errors about the others are attached to it
 */
export function readEffects(value: unknown, listedNames: readonly EffectName[] = effectNames): Effect[] {
  return readJsonEffects(toJson(value, ['effect']), listedNames);
}

/** Like `readEffects`, for a value that is JSON already. */
export function readJsonEffects(value: unknown, listedNames: readonly EffectName[] = effectNames): Effect[] {
  // Checked first: otherwise, each of thousands of invalid effects of a header would add an error to the request log.
  if (Array.isArray(value)) requireValidCount(value.length);
  const parsedEffects = Array.isArray(value)
    ? readEach(value, (item, index) => readStringOrObject(item, ['effect', String(index)], listedNames)).flat()
    : readStringOrObject(value, ['effect'], listedNames);
  requireValidCount(parsedEffects.length);
  const kinds = new Set(parsedEffects.map(({ name }) => kindByStage[effectStages[name]]));
  if (kinds.size > 1) {
    throw new FaultError(
      ['effect'],
      `effect: ${[...kinds].join(' and ')} cannot be combined in one fault; add a fault for each`,
    );
  }
  const [shortCircuit, secondShortCircuit] = parsedEffects.filter(({ name }) => effectStages[name] === 'request');
  if (shortCircuit && secondShortCircuit) {
    const names = `${shortCircuit.name} and ${secondShortCircuit.name}`;
    const reason = `${names} both replace the handling of the request; a fault can have only one such effect`;
    throw new FaultError(['effect'], `effect: ${reason}`);
  }
  const descriptions = parsedEffects.map(({ name }) => requireEffect(name, ['effect'], listedNames));
  for (const { name, needs } of descriptions) {
    const other = needs && descriptions.find(({ prevents }) => prevents?.includes(needs));
    if (!other) continue;
    const reason = `${name} needs ${conditions[needs]}, and ${other.name} prevents that`;
    throw new FaultError(['effect'], `effect: ${reason}; they cannot be combined in one fault`);
  }
  return parsedEffects;
}

/** @throws FaultError */
function requireValidCount(count: number): void {
  if (count === 0 || count > 10) throw new FaultError(['effect'], `effect: must contain 1 to 10 effects, not ${count}`);
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

/** Parses effects in the short form, or a single effect as an object. */
function readStringOrObject(value: unknown, path: readonly string[], listedNames: readonly EffectName[]): Effect[] {
  if (typeof value === 'string') return readShortForm(value, path, listedNames);
  if (!isRecord(value)) {
    const jsonType = kindOf(value);
    throw new FaultError(path, `effect: must be a string (for example status=503) or a mapping, not ${jsonType}`);
  }
  const { name, ...options } = value;
  if (name === undefined) throw new FaultError(path, 'effect: `name` is missing');
  return [readEffect(requireEffect(name, path, listedNames), options, path)];
}

function readShortForm(text: string, path: readonly string[], listedNames: readonly EffectName[]): Effect[] {
  try {
    const shortEffects = parseShortForm(text);
    requireValidCount(shortEffects.length);
    return readEach(requireFlat(shortEffects, path), ({ name, value, options }) => {
      const effect = requireEffect(name, path, listedNames);
      if (value === undefined) return readEffect(effect, numbersToStrings(effect, options), path);
      const { valueOption } = effect;
      if (valueOption === undefined)
        throw new FaultError(path, `${effect.name}: takes only named options, not a value`);
      if (Object.hasOwn(options, valueOption))
        throw new FaultError(path, `${effect.name}: ${valueOption} is given twice`);
      return readEffect(effect, numbersToStrings(effect, { [valueOption]: value, ...options }), path);
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

function readEffect(effect: KnownEffect, givenOptions: object, path: readonly string[]): Effect {
  const options = effect.name === 'status' ? withTextBody(givenOptions) : givenOptions;
  const errors = effect.check(options);
  if (errors.length > 0) {
    const hint = Object.keys(options).length === 0 ? `; for example ${effect.example}` : '';
    throw optionErrors(effect.name, errors, path, hint);
  }
  const parsedEffect = { name: effect.name, ...options };
  checkStatusOptions(parsedEffect, path);
  return parsedEffect;
}

/** Writes a body that is given as an object or array as JSON. In the short form, such a body is text already. */
function withTextBody(options: object): object {
  const body = memberOf(options, 'body');
  return typeof body === 'object' && body !== null ? { ...options, body: JSON.stringify(body) } : options;
}

/**
 * Finds what is wrong with an effect that was stored. An unknown name is not an error here, since the schema of stored
 * rows lists the names.
 * @returns an error such as `duplicate.count: must be 2 or more`; undefined if the options are valid
 */
export function storedEffectError(value: unknown): string | undefined {
  const { name, ...options } = isRecord(value) ? value : {};
  const effect = effects.find((candidate) => candidate.name === name);
  if (!effect) return undefined;
  if (isDeeperThan(maxDepth, options)) return tooDeepError([]).message;
  const errors = effect.check(options);
  return errors.length === 0 ? undefined : faultError([effect.name], errors).message;
}

/** Checks that the options of `status` can all be used. @throws FaultError */
function checkStatusOptions({ name, ...options }: Effect, path: readonly string[]): void {
  if (name !== 'status') return;
  const { status, body, error, type } = options;
  if (body !== undefined && error !== undefined)
    throw new FaultError([...path, 'error'], 'status.error: cannot be combined with `body`, which replaces it');
  if (body === undefined && type !== undefined)
    throw new FaultError([...path, 'type'], 'status.type: is only for a `body`');
  if (typeof status !== 'number' || !bodilessStatuses.has(status)) return;
  const option = ['body', 'error'].find((key) => options[key] !== undefined && options[key] !== '');
  if (option === undefined) return;
  throw new FaultError([...path, option], `status.${option}: a response with status ${status} has no body`);
}

type KnownEffect = (typeof effects)[number];

/** Finds an effect by its name. @throws FaultError if there is none */
function requireEffect(name: unknown, path: readonly string[], listedNames: readonly EffectName[]): KnownEffect {
  const effect = effects.find((candidate) => candidate.name === name);
  if (effect) return effect;
  if (typeof name !== 'string') throw new FaultError(path, `effect: name must be a string, not ${kindOf(name)}`);
  const suggestion = didYouMean(name, effectNames, { listKnown: 'never' }) || didYouMean(name, listedNames);
  throw new FaultError(path, `unknown effect ${quote(name)}${suggestion}`);
}
