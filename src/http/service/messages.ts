import type { FieldViolation } from '../../domain/service-error.js';
import type { Profile } from '../../openapi/profile.js';

type Params = FieldViolation['params'];
type Wording = (field: string, params: Params) => string;

/**
 * Messages for violated rules: by JSON Schema keyword, or by the name of a rule that JSON Schema lacks. The first
 * of each pair is in Laravel's wording, the second in the wording of a JSON Schema validator (gap validation.messages).
 */
const wordings: Record<string, readonly [Wording, Wording]> = {
  required: [
    (field) => `The ${field} field is required.`,
    (_, { missingProperty }) => `must have required property '${missingProperty}'`,
  ],
  type: [
    (field, { type }) => `The ${field} field must be ${laravelTypes[String(type)] ?? 'valid'}.`,
    (_, { type }) => `must be ${type}`,
  ],
  format: [
    (field, { format }) => `The ${field} field must ${laravelFormats[String(format)] ?? 'match the format Y-m-d'}.`,
    (_, { format }) => `must match format "${format}"`,
  ],
  anyOf: [(field) => `The selected ${field} is invalid.`, () => 'must match one of the allowed forms'],
  oneOf: [
    (_, { fields }) => `Exactly one of the fields ${listOf(fields)} is required.`,
    (_, { fields }) => `must have exactly one of ${listOf(fields)}`,
  ],
  enum: [(field) => `The selected ${field} is invalid.`, () => 'must be equal to one of the allowed values'],
  pattern: [
    // Laravel says "required" for a string that must not be blank.
    (field, { pattern, form: description }) =>
      pattern === '\\S'
        ? `The ${field} field is required.`
        : `The ${field} field ${description === undefined ? 'contains invalid characters' : `must be ${description}`}.`,
    (_, { pattern }) => `must match pattern "${pattern}"`,
  ],
  minLength: [
    (field, { limit }) =>
      limit === 1 ? `The ${field} field is required.` : `The ${field} field must be at least ${limit} characters.`,
    (_, { limit }) => `must NOT have fewer than ${limit} characters`,
  ],
  maxLength: [
    (field, { limit }) => `The ${field} field must not be greater than ${limit} characters.`,
    (_, { limit }) => `must NOT have more than ${limit} characters`,
  ],
  minimum: [
    (field, { limit }) => `The ${field} field must be at least ${limit}.`,
    (_, { limit }) => `must be >= ${limit}`,
  ],
  maximum: [
    (field, { limit }) => `The ${field} field must not be greater than ${limit}.`,
    (_, { limit }) => `must be <= ${limit}`,
  ],
  exclusiveMinimum: [
    (field, { limit }) => `The ${field} field must be greater than ${limit}.`,
    (_, { limit }) => `must be > ${limit}`,
  ],
  minItems: [
    (field, { limit }) => `The ${field} field must have at least ${limit} items.`,
    (_, { limit }) => `must NOT have fewer than ${limit} items`,
  ],
  uniqueItems: [(field) => `The ${field} field has a duplicate value.`, () => 'must NOT have duplicate items'],
  maxProperties: [
    (field, { limit }) => `The ${field} field must not have more than ${limit} items.`,
    (_, { limit }) => `must NOT have more than ${limit} properties`,
  ],
  additionalProperties: [(field) => `The ${field} field is prohibited.`, () => 'must NOT be there'],
  'x-duration': [
    (field, { hint = '' }) => `The ${field} field must be a duration such as 8d, 2h 30m or P8D${hint}.`,
    (_, { hint = '' }) => `must be a duration such as 8d, 2h 30m or P8D${hint}`,
  ],
  'x-decimal-places': [
    (field, { limit }) => `The ${field} field must have ${limit === 0 ? 0 : `0-${limit}`} decimal places.`,
    (_, { limit }) => `must NOT have more than ${limit} decimal places`,
  ],
  'x-not-before': [
    (field, { sibling }) => `The ${field} field must be a date after or equal to ${fieldName(String(sibling))}.`,
    (_, { sibling }) => `must NOT be before ${sibling}`,
  ],
  exists: [(field) => `The selected ${field} is invalid.`, () => 'must be the id of an existing record'],
  unique: [(field) => `The ${field} has already been taken.`, () => 'must NOT be taken already'],
  'total-maximum': [
    (field, { limit }) => `The total of the ${field} must not be greater than ${limit}.`,
    (_, { limit }) => `must have a total <= ${limit}`,
  ],
  json: [(field) => `The ${field} field is not valid JSON.`, () => 'must be valid JSON'],
  // A violation of this rule brings its own message.
  custom: [(_, { message }) => String(message), (_, { message }) => String(message)],
  'total-minimum': [
    (field, { limit }) => `The total of the ${field} must be at least ${limit}.`,
    (_, { limit }) => `must have a total >= ${limit}`,
  ],
};

const laravelTypes: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

const laravelFormats: Record<string, string> = {
  email: 'be a valid email address',
  'date-time': 'be a time in 1970 or later, such as 2026-03-01T09:00:00Z',
};

function listOf(fields: unknown): string {
  return Array.isArray(fields) ? fields.join(', ') : '';
}

/** Maximum number of violations with a message; the others are counted. A body can have tens of thousands. */
export const maxDescribedViolations = 100;

/** Builds the error of an invalid request: a summary, and the messages by field. */
export function describeViolations(
  violations: readonly FieldViolation[],
  profile: Profile,
): { error: string; errors: Record<string, string[]> } {
  const errors = new Map<string, string[]>();
  for (const violation of violations.slice(0, maxDescribedViolations)) {
    const key = fieldKey(violation.path, profile);
    const message =
      profile['validation.messages'] === 'laravel'
        ? violationMessage(violation, fieldName(key))
        : wordingsOf(violation)[1](key, violation.params);
    const fieldMessages = errors.get(key);
    if (!fieldMessages) errors.set(key, [message]);
    else if (!fieldMessages.includes(message)) fieldMessages.push(message);
  }
  const messages = [...errors.values()].flat();
  const moreCount = messages.length - 1 + Math.max(0, violations.length - maxDescribedViolations);
  const suffix = moreCount > 0 ? ` (and ${moreCount} more ${moreCount === 1 ? 'error' : 'errors'})` : '';
  return { error: `${messages[0]}${suffix}`, errors: Object.fromEntries(errors) };
}

/** The message about a violation, in Laravel's wording. @param field the name of the field: `due date` */
export function violationMessage(violation: FieldViolation, field: string): string {
  return wordingsOf(violation)[0](field, violation.params);
}

function wordingsOf({ rule }: FieldViolation): readonly [Wording, Wording] {
  const wording = wordings[rule];
  if (!wording) throw new Error(`no wording for the rule ${rule}`);
  return wording;
}

/** The key of a field in `errors` (gap validation.nested-keys). The body itself is `body`. */
export function fieldKey(path: FieldViolation['path'], profile: Profile): string {
  if (path.length === 0) return 'body';
  return path.reduce<string>((key, part) => {
    if (typeof part === 'number' && profile['validation.nested-keys'] === 'brackets') return `${key}[${part}]`;
    return key === '' ? String(part) : `${key}.${part}`;
  }, '');
}

/** Name of a field in messages: `due date`; nested fields keep their key. */
export function fieldName(key: string): string {
  return key.includes('.') || key.includes('[') ? key : key.replaceAll('_', ' ');
}
