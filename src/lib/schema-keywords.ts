import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv/dist/types/index.js';
import { decimalPlaces, isCurrencyCode, minorUnits } from './decimals.js';
import { parseDuration } from './durations.js';
import { isRecord, memberOf } from './json.js';

/** Returns the maximum number of decimal places of amounts in a currency; undefined for no maximum. */
type PlacesOf = (currency: unknown) => number | undefined;

export const minorUnitsOf: PlacesOf = (currency) => (isCurrencyCode(currency) ? minorUnits(currency) : undefined);

interface SchemaKeyword extends FuncKeywordDefinition {
  readonly keyword: string;
  readonly validate: SchemaValidateFunction;
}

/**
 * The keywords that our JSON Schemas and OpenAPI documents use in addition to the standard ones.
 * @param placesOf returns the limit for `x-minor-units`; also called if the currency is missing or is not a code
 */
export function schemaKeywords(placesOf: PlacesOf): SchemaKeyword[] {
  return [
    // Maximum number of decimal places.
    {
      keyword: 'x-decimal-places',
      type: 'number',
      schemaType: 'number',
      validate: (places: number, value: number) => hasPlaces(value, places),
      errors: false,
    },
    // At most the decimal places of the currency in the named sibling field.
    {
      keyword: 'x-minor-units',
      type: 'number',
      schemaType: 'string',
      validate: minorUnitsCheck(placesOf),
      errors: true,
    },
    // Not before the date in the named sibling field. Says nothing if one of the two is not a date; `format` does.
    {
      keyword: 'x-not-before',
      schemaType: 'string',
      validate: (sibling: string, value: unknown, _schema?: unknown, at?: { parentData: unknown }) => {
        const other = memberOf(at?.parentData, sibling);
        // Dates in this format compare as strings.
        return !isDateText(other) || !isDateText(value) || value >= other;
      },
      errors: false,
    },
    // A duration such as `8d` or `P8D`.
    {
      keyword: 'x-duration',
      type: 'string',
      schemaType: 'boolean',
      validate: (isEnabled: boolean, value: string) => !isEnabled || parseDuration(value) !== undefined,
      errors: false,
    },
  ];
}

/** Checks `x-minor-units`. Reports its errors like those of `x-decimal-places`, with the limit of the currency. */
function minorUnitsCheck(placesOf: PlacesOf): SchemaValidateFunction {
  const check: SchemaValidateFunction = (sibling: string, value: number, parentSchema, at) => {
    const limit = placesOf(memberOf(at?.parentData, sibling));
    if (limit === undefined || hasPlaces(value, limit)) return true;
    check.errors = [
      { keyword: 'x-decimal-places', params: { limit }, ...(isRecord(parentSchema) ? { parentSchema } : {}) },
    ];
    return false;
  };
  return check;
}

function isDateText(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}

/** Infinity has no decimal places to count; other keywords reject it. */
function hasPlaces(value: number, limit: number): boolean {
  return !Number.isFinite(value) || decimalPlaces(value) <= limit;
}
