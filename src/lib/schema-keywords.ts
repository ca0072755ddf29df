import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv/dist/types/index.js';
import { currencyDecimals, decimalPlaces, isCurrencyCode, maxCurrencyDecimals } from './decimals.js';
import { parseDuration } from './durations.js';
import { isRecord, memberOf } from './json.js';

/** Returns the maximum number of decimal places of amounts in a currency; undefined for no maximum. */
type MaxPlacesOf = (currency: unknown) => number | undefined;

export const minorUnitsOf: MaxPlacesOf = (currency) =>
  isCurrencyCode(currency) ? currencyDecimals(currency) : undefined;

/**
 * For requests. Without a currency, the maximum is the most that any currency has; the operation checks the amount
 * again when it has determined the currency.
 */
export const maxRequestDecimalPlaces = (currency: unknown): number =>
  typeof currency === 'string' ? currencyDecimals(currency) : maxCurrencyDecimals;

interface SchemaKeyword extends FuncKeywordDefinition {
  readonly keyword: string;
  readonly validate: SchemaValidateFunction;
}

/**
 * The keywords that our JSON Schemas and OpenAPI documents use in addition to the standard ones.
 * @param maxPlacesOf returns the limit for `x-minor-units`; also called if the currency is missing or is not a code
 */
export function schemaKeywords(maxPlacesOf: MaxPlacesOf): SchemaKeyword[] {
  return [
    // Maximum number of decimal places.
    {
      keyword: 'x-decimal-places',
      type: 'number',
      schemaType: 'number',
      validate: (places: number, value: number) => hasAtMostPlaces(value, places),
      errors: false,
    },
    // No more decimal places than the currency in the named sibling field has.
    {
      keyword: 'x-minor-units',
      type: 'number',
      schemaType: 'string',
      validate: minorUnitsCheck(maxPlacesOf),
      errors: true,
    },
    // Not before the date in the named sibling field. Passes if one of them is not a date, which `format` reports.
    {
      keyword: 'x-not-before',
      schemaType: 'string',
      validate: (sibling: string, value: unknown, _schema?: unknown, at?: { parentData: unknown }) => {
        const other = memberOf(at?.parentData, sibling);
        // Dates compare as strings.
        if (typeof other !== 'string' || typeof value !== 'string' || value >= other) return true;
        return !isDate(other) || !isDate(value);
      },
      errors: false,
    },
    // A duration such as `8d` or `P8D`.
    stringKeyword('x-duration', (text) => parseDuration(text) !== undefined),
  ];
}

/** A keyword with the value true, for strings that must pass a check. */
export function stringKeyword(keyword: string, isValid: (text: string) => boolean): SchemaKeyword {
  return {
    keyword,
    type: 'string',
    schemaType: 'boolean',
    validate: (isEnabled: boolean, text: string) => !isEnabled || isValid(text),
    errors: false,
  };
}

/** Checks `x-minor-units`. Reports errors of `x-decimal-places` with the limit of the currency. */
function minorUnitsCheck(maxPlacesOf: MaxPlacesOf): SchemaValidateFunction {
  const check: SchemaValidateFunction = (sibling: string, value: number, parentSchema, at) => {
    const limit = maxPlacesOf(memberOf(at?.parentData, sibling));
    if (limit === undefined || hasAtMostPlaces(value, limit)) return true;
    check.errors = [
      { keyword: 'x-decimal-places', params: { limit }, ...(isRecord(parentSchema) ? { parentSchema } : {}) },
    ];
    return false;
  };
  return check;
}

/** True for a date `YYYY-MM-DD` that exists: not for 30 February. */
function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;
}

/** Infinity has no decimal places to count; other keywords reject it. */
function hasAtMostPlaces(value: number, limit: number): boolean {
  return !Number.isFinite(value) || decimalPlaces(value) <= limit;
}
