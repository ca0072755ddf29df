import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FieldViolation } from '../../domain/service-error.js';
import { invalidDurationHint } from '../../lib/durations.js';
import { memberOf } from '../../lib/json.js';
import { pointerParts } from '../../lib/json-pointer.js';
import { listedValues } from '../../lib/listed-values.js';

/**
 * Converts Ajv's errors to violations, with the parameters that messages of the service and the control API need.
 * @param value the validated value
 */
export function toViolations(errors: ErrorObject[] | null | undefined, value: unknown): FieldViolation[] {
  const all = errors ?? [];
  return all.flatMap((error): FieldViolation[] => {
    // Left out: `propertyNames`, since its nested errors say more, and errors of single alternatives, since `anyOf` or
    // `oneOf` says more.
    if (error.keyword === 'propertyNames' || /\/(?:any|one)Of\/\d/.test(error.schemaPath)) return [];
    // `oneOf` says which fields are missing, which is misleading for a value of the wrong type.
    if (error.keyword === 'oneOf' && all.some(({ keyword }) => keyword === 'type')) return [];
    const path = readPath(error.instancePath, value);
    const fieldName: unknown =
      error.params['missingProperty'] ?? error.params['additionalProperty'] ?? error.propertyName;
    if (typeof fieldName === 'string') path.push(fieldName);
    // The value of our keywords is a limit (`x-decimal-places`) or the name of a sibling field (`x-not-before`).
    const keywordValue =
      error.keyword.startsWith('x-') && error.params['limit'] === undefined
        ? { limit: error.schema, sibling: error.schema }
        : {};
    const hint = error.keyword === 'x-duration' ? { hint: invalidDurationHint(error.data) } : {};
    const allowedValues = error.keyword === 'pattern' ? listedValues(error.schema) : undefined;
    if (allowedValues) return [{ path, rule: 'enum', params: { allowedValues } }];
    return [{ path, rule: error.keyword, params: { ...error.params, ...keywordValue, ...hint, ...allowedBy(error) } }];
  });
}

/** Parameters that say what the violated rule allows. */
function allowedBy({ keyword, schema, parentSchema }: ErrorObject): Record<string, unknown> {
  switch (keyword) {
    case 'oneOf':
      return { fields: requiredBy(schema) };
    case 'anyOf':
      return { allowed: listOf(schema).flatMap(allowedTypesOf) };
    case 'additionalProperties':
      return { known: Object.keys(parentSchema?.['properties'] ?? {}) };
    case 'pattern':
      // Says in words what the value must be.
      return { form: parentSchema?.['x-form'] };
    default:
      return {};
  }
}

/** The allowed values of an alternative, or else its type. */
function allowedTypesOf(alternative: unknown): unknown[] {
  const values = memberOf(alternative, 'enum');
  const type = memberOf(alternative, 'type');
  return Array.isArray(values) ? values : [type === 'object' ? 'an object' : `a ${type}`];
}

/** The fields that the alternatives of a schema require. */
function requiredBy(alternatives: unknown): unknown[] {
  return listOf(alternatives).flatMap((alternative) => listOf(memberOf(alternative, 'required')));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Parses a JSON pointer. The value decides whether a part such as `007` is an index or a name. */
function readPath(pointer: string, value: unknown): (string | number)[] {
  let inner = value;
  return pointerParts(pointer).map((name) => {
    const step = Array.isArray(inner) ? Number(name) : name;
    inner = memberOf(inner, name);
    return step;
  });
}
