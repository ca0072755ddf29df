import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { isRecord, memberOf, parseJson } from '../../lib/json.js';
import { pointerParts } from '../../lib/json-pointer.js';
import { listedValues } from '../../lib/listed-values.js';

/** Maximum number of times that a body is fixed and validated again. */
const maxRounds = 10;

/**
 * Adapts a body to a validator that may be stricter than the one it was written for: shortens strings, limits numbers,
 * and removes fields that still do not fit.
 * @returns undefined if the body cannot be adapted
 */
export function fitBody(body: unknown, validate: ValidateFunction): unknown {
  const fitted: unknown = structuredClone(body);
  for (let round = 0; round < maxRounds; round++) {
    // The validator adds defaults, so it gets a copy.
    if (validate(structuredClone(fitted))) return fitted;
    for (const error of validate.errors ?? []) repair(fitted, error);
  }
  return undefined;
}

/** Multiplies the amounts in a body by a factor below 1; keeps them if the factor is 1 or more. */
export function scaleDownAmounts(body: unknown, factor: number): unknown {
  if (factor >= 1) return body;
  const text = JSON.stringify(body, (name, value: unknown) =>
    (name === 'amount' || name === 'unit_price') && typeof value === 'number'
      ? Math.max(0.01, Math.floor(value * factor * 100) / 100)
      : value,
  );
  return parseJson(text);
}

/** Fixes the value that an error refers to. */
function repair(body: unknown, error: ErrorObject): void {
  // Ajv reports an invalid property name twice: with the rule that it violates, and with `propertyNames`.
  if (error.keyword === 'propertyNames') return;
  const path = pointerParts(error.instancePath);
  const value = path.reduce(memberOf, body);
  const name = path.pop();
  const parent = path.reduce(memberOf, body);
  const key = error.propertyName;
  if (key !== undefined) fixPropertyName(value, key, error);
  else if (error.keyword === 'additionalProperties') {
    removeProperty(value, String(error.params['additionalProperty']));
  } else if (error.keyword === 'maxProperties') {
    removeProperty(value, Object.keys(isRecord(value) ? value : {}).at(-1) ?? '');
  } else if (name !== undefined && typeof parent === 'object' && parent !== null) {
    const fitted = fitValue(value, error);
    if (fitted === undefined) Reflect.deleteProperty(parent, name);
    else Reflect.set(parent, name, fitted);
  }
}

/** Returns a value that satisfies the violated rule, a similar one where possible; undefined if none is known. */
function fitValue(value: unknown, { keyword, params, schema }: ErrorObject): unknown {
  if (keyword === 'maxLength' && typeof value === 'string') return cut(value, params['limit']);
  if (keyword === 'maximum' || keyword === 'minimum') return params['limit'];
  if (keyword === 'enum') return memberOf(params['allowedValues'], '0');
  // A pattern may list values: `^(?:EUR|USD)$`.
  if (keyword === 'pattern') return listedValues(schema)?.[0];
  // For an amount, the limit is that of its currency; the schema only names the field with the currency.
  if (keyword === 'x-decimal-places' && typeof value === 'number')
    return Number(value.toFixed(Number(params['limit'] ?? schema)));
  if (keyword === 'type' && params['type'] === 'string') return String(value);
  return undefined;
}

/** Shortens a property name that is too long; removes a property whose name is invalid for another reason. */
function fixPropertyName(owner: unknown, key: string, { keyword, params }: ErrorObject): void {
  if (typeof owner !== 'object' || owner === null || !(key in owner)) return;
  const value = memberOf(owner, key);
  Reflect.deleteProperty(owner, key);
  if (keyword === 'maxLength') Reflect.set(owner, cut(key, params['limit']), value);
}

function removeProperty(owner: unknown, name: string): void {
  if (typeof owner === 'object' && owner !== null) Reflect.deleteProperty(owner, name);
}

/** Cuts a string to a maximum length. */
function cut(text: string, limit: unknown): string {
  return [...text].slice(0, Number(limit)).join('').trimEnd();
}
