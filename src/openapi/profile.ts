import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { applyPatch, type Operation as PatchOperation } from 'rfc6902';
import { parseChoice } from '../domain/choices.js';
import type { Choice, Gap } from '../domain/gaps.js';
import { billingDocument } from '../generated/billing-document.js';
import { gapRegistry } from '../generated/gap-registry.js';
import type { components } from '../generated/profile-types.js';
import { didYouMean } from '../lib/did-you-mean.js';
import { invalidDurationHint, parseDuration } from '../lib/durations.js';
import { isRecord, memberOf, parseJson } from '../lib/json.js';
import { lazy } from '../lib/lazy.js';
import { quote } from '../lib/messages.js';
import { firstSchemaError, locatedReason } from '../lib/schema-errors.js';
import { strictAjv } from '../lib/strict-ajv.js';
import { InputError } from '../lib/user-error.js';

/** A choice for every gap in the specification; durations are in milliseconds. Source: openapi/gaps.yaml. */
export type Profile = components['schemas']['Profile'];
export type GapId = keyof Profile;

/** Choices by gap, as in a profile file: a name, or a name with a value. Omitted gaps have their default. */
export type Choices = Readonly<Record<string, unknown>>;

/** Thrown for a profile with an unknown gap or choice, or an invalid value. The message suggests a correction. */
export class ProfileError extends InputError {
  override readonly name = 'ProfileError';
  /** The message without the gap, the choice and the syntax of profile files. */
  readonly reason: string;

  constructor(message: string, path: readonly string[] = [], reason = message) {
    super(path, message);
    this.reason = reason;
  }
}

const gapIds = Object.keys(gapRegistry).filter(isGapId);

/**
 * Returns the profile with these choices, and the defaults for all other gaps.
 * @throws ProfileError for an unknown gap or choice, or an invalid value
 */
export function resolveProfile(choices: Choices): Profile {
  const profile: Record<string, unknown> = {};
  for (const id of gapIds) profile[id] = gapRegistry[id].default;
  for (const [id, writtenChoice] of Object.entries(choices)) {
    if (!isGapId(id)) {
      throw new ProfileError(`unknown gap ${quote(id)}${didYouMean(id, gapIds, { listKnown: 'never' })}`, [id]);
    }
    profile[id] = resolveChoice(id, gapRegistry[id], writtenChoice);
  }
  if (!isProfile(profile)) throw new Error('the profile lacks the choice of a gap');
  return profile;
}

/** The profile in which every gap has its default. */
export const defaultProfile = lazy(() => resolveProfile({}));

/**
 * Returns the errors that `resolveProfile` throws, one for each invalid choice. Their paths begin with the gap.
 */
export function invalidChoices(choices: Choices): readonly ProfileError[] {
  return Object.entries(choices).flatMap(([gap, choice]) => {
    try {
      resolveProfile({ [gap]: choice });
      return [];
    } catch (error) {
      if (error instanceof ProfileError) return [error];
      throw error;
    }
  });
}

function resolveChoice(id: GapId, gap: Gap, writtenChoice: unknown): unknown {
  if (
    typeof writtenChoice === 'object' &&
    writtenChoice !== null &&
    (Array.isArray(writtenChoice) || Object.keys(writtenChoice).length !== 1)
  ) {
    throw new ProfileError(`${id}: expected exactly one choice, not ${JSON.stringify(writtenChoice)}`, [id]);
  }
  const { name: choiceName, value } = parseChoice(writtenChoice);
  const names = Object.keys(gap.choices);
  const choice = Object.hasOwn(gap.choices, choiceName) ? gap.choices[choiceName] : undefined;
  const removed = memberOf(removedChoices[id], choiceName);
  if (typeof removed === 'string')
    throw new ProfileError(`${id} no longer has the choice ${quote(choiceName)}, because ${removed}`, [id]);
  if (choice === undefined) {
    const nameWithValue = names.find((name) => gap.choices[name]?.takes !== undefined);
    const valueHint = nameWithValue === undefined ? '' : `; write a choice with a value as {${nameWithValue}: …}`;
    throw new ProfileError(
      `${id} has no choice ${quote(choiceName)}${didYouMean(choiceName, names, { listKnown: 'always' })}${valueHint}`,
      [id],
    );
  }
  const { takes: valueSchema } = choice;
  if (valueSchema) return { [choiceName]: resolveValue(id, choiceName, valueSchema, value) };
  if (value !== undefined)
    throw new ProfileError(`${id}: the choice ${quote(choiceName)} takes no value`, [id, choiceName]);
  return choiceName;
}

/** Choices that no longer exist: for each, the reason and what to choose instead. */
const removedChoices: Partial<Record<GapId, Readonly<Record<string, string>>>> = {
  'rate.unauthenticated': {
    neither:
      'every response now carries the rate-limit headers; choose `uncounted` if requests with refused tokens should not count against the limit',
  },
};

function resolveValue(id: GapId, name: string, valueSchema: NonNullable<Choice['takes']>, value: unknown): unknown {
  const valueError = (text: string, path: readonly string[] = [], reason = text): ProfileError =>
    new ProfileError(`${id}: ${quote(name)} takes a value (write {${name}: …}); ${text}`, [id, name, ...path], reason);
  if (value === undefined) throw valueError('none is given');
  const validate = validatorOf(valueSchema);
  if (validate(value)) {
    if (isDefaultAboveMaximum(value)) {
      throw valueError(`the default, ${value.default}, is greater than the maximum, ${value.maximum}`);
    }
    // The value of event.payload names the members of an event. No two may have the same name.
    const repeated = id === 'event.payload' && isRecord(value) ? repeatedValue(value) : undefined;
    if (repeated !== undefined) throw valueError(`two members have the name ${quote(repeated)}`);
    return valueSchema['x-duration'] && typeof value === 'string' ? parseDuration(value) : value;
  }
  const { path, shownPath, reason, error } = firstSchemaError(validate.errors ?? []);
  if (error.keyword === 'x-duration')
    throw valueError(
      `${JSON.stringify(value)} is not a duration such as 8d, 2h 30m or P8D${invalidDurationHint(value)}`,
    );
  throw valueError(`${JSON.stringify(value)} is not valid: ${locatedReason(shownPath, reason)}`, path, reason);
}

/** The first value that occurs twice in an object, as text; undefined if there is none. */
function repeatedValue(value: Readonly<Record<string, unknown>>): string | undefined {
  const texts = Object.values(value).map(String);
  return texts.find((text, index) => texts.indexOf(text) < index);
}

/** True if a value has a default and a maximum that contradict each other, which JSON Schema cannot express. */
function isDefaultAboveMaximum(value: unknown): value is { readonly default: number; readonly maximum: number } {
  if (!isRecord(value)) return false;
  const { default: defaultValue, maximum } = value;
  return typeof defaultValue === 'number' && typeof maximum === 'number' && defaultValue > maximum;
}

/** Applies the JSON Patches of the profile's choices to the document, in the order of the registry. */
export function patchedDocument(profile: Profile): OpenAPIV3_1.Document {
  const operations = gapIds.flatMap((id) => patchOperationsOf(gapRegistry[id], profile[id]));
  if (operations.length === 0) return billingDocument;
  const document = structuredClone(billingDocument);
  for (const [index, failure] of applyPatch(document, operations).entries()) {
    if (failure)
      throw new Error(
        `the patch operation ${JSON.stringify(operations[index])} does not apply to the document: ${failure.message}`,
      );
  }
  return document;
}

function patchOperationsOf(gap: Gap, resolvedChoice: unknown): PatchOperation[] {
  const { name, value } = parseChoice(resolvedChoice);
  const patchOperations = gap.choices[name]?.document ?? [];
  return patchOperations
    .filter((operation) => hasAllFields(operation, value))
    .map((operation) => withValue(operation, value));
}

/**
 * Inserts the value of a choice into an operation of a JSON Patch in the registry.
 * @throws Error if the result is not an operation of a JSON Patch, which would be a bug in the registry
 */
function withValue(operation: object, value: unknown): PatchOperation {
  const result = parseJson(JSON.stringify(operation, (_key, part) => insertValue(part, value)));
  if (!isPatchOperation(result))
    throw new Error(`the gap registry has an invalid patch operation: ${JSON.stringify(result)}`);
  return result;
}

function isPatchOperation(operation: unknown): operation is PatchOperation {
  if (!isRecord(operation)) return false;
  const { op, path, from } = operation;
  if (typeof path !== 'string') return false;
  if (op === 'move' || op === 'copy') return typeof from === 'string';
  return op === 'remove' || ((op === 'add' || op === 'replace' || op === 'test') && 'value' in operation);
}

/** True if the value of a choice has all fields that a patch operation refers to. */
function hasAllFields(operation: object, value: unknown): boolean {
  const references = JSON.stringify(operation).matchAll(/\$value\.(\w+)/g);
  return [...references].every(([, name = '']) => memberOf(value, name) !== undefined);
}

/** Replaces `$value` or `$value.field` in a part of a patch operation. A path may end with `$value.field`. */
function insertValue(part: unknown, value: unknown): unknown {
  if (part === '$value') return value;
  const [prefix, name] = typeof part === 'string' ? part.split('$value.') : [];
  if (name === undefined) return part;
  const inserted = memberOf(value, name);
  return prefix === '' ? inserted : `${prefix}${inserted}`;
}

/** Returns true for the id of a gap of the specification. */
export function isGapId(id: string): id is GapId {
  return Object.hasOwn(gapRegistry, id);
}

/** Returns true if every gap has a choice. `resolveChoice` has validated the choices. */
function isProfile(profile: Readonly<Record<string, unknown>>): profile is Profile {
  return gapIds.every((id) => id in profile);
}

/** Ajv for the values that choices take. */
const valueAjv = lazy(() => strictAjv({ strictTypes: false }));

/** Returns the validator of the values that a choice takes. Ajv compiles each schema once. */
function validatorOf(valueSchema: object): ValidateFunction {
  return valueAjv().compile(valueSchema);
}
