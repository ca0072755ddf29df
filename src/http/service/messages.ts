import type { FieldViolation } from '../../domain/service-error.js';
import { didYouMean } from '../../lib/did-you-mean.js';
import { conjunction, disjunction, quote, shortenToLine } from '../../lib/messages.js';
import type { Profile } from '../../openapi/profile.js';

type Params = FieldViolation['params'];
type Wording = (field: string, params: Params) => string;

/** The texts about a violated rule. */
interface Wordings {
  /** In Laravel's words (gap validation.messages). */
  readonly laravel: Wording;
  /** In the words of a JSON Schema validator (gap validation.messages). */
  readonly schema: Wording;
  /** In our own words: in hints, in the control API and in the library. */
  readonly plain: Wording;
}

/** Texts by JSON Schema keyword, or by the name of a rule that JSON Schema lacks. Keywords that start with `x-` are ours. */
const wordings: Record<string, Wordings> = {
  required: {
    laravel: (field) => `The ${field} field is required.`,
    schema: (_, { missingProperty }) => `must have required property '${missingProperty}'`,
    plain: (field) => `${field} is required`,
  },
  type: {
    laravel: (field, { type }) => `The ${field} field must be ${typeNames[String(type)] ?? 'valid'}.`,
    schema: (_, { type }) => `must be ${type}`,
    plain: (field, { type, sent }) =>
      `${field} must be ${disjunction([type].flat().map(typeName))}${sent === undefined ? '' : `, not ${sent}`}`,
  },
  format: {
    laravel: (field, { format }) =>
      `The ${field} field must ${laravelFormats[String(format)] ?? 'match the format Y-m-d'}.`,
    schema: (_, { format }) => `must match format "${format}"`,
    plain: (field, { format }) => `${field} must be ${plainFormats[String(format)] ?? format}`,
  },
  anyOf: {
    laravel: (field) => `The selected ${field} is invalid.`,
    schema: () => 'must match one of the allowed forms',
    plain: (field, { allowed }) => `${field} must be ${disjunction([allowed].flat().map(String))}`,
  },
  oneOf: {
    laravel: (_, { fields }) => `Exactly one of the fields ${listOf(fields)} is required.`,
    schema: (_, { fields }) => `must have exactly one of ${listOf(fields)}`,
    plain: (_, { fields }) => `exactly one of ${listOf(fields)} is required`,
  },
  enum: {
    laravel: (field) => `The selected ${field} is invalid.`,
    schema: () => 'must be equal to one of the allowed values',
    plain: (field, { allowedValues, sent }) => `${field} must be one of ${describeAllowed(allowedValues, sent)}`,
  },
  pattern: {
    // Laravel says "required" for a string that must not be blank.
    laravel: (field, { pattern, form: description }) =>
      pattern === notBlank
        ? `The ${field} field is required.`
        : `The ${field} field ${description === undefined ? 'contains invalid characters' : `must be ${description}`}.`,
    schema: (_, { pattern }) => `must match pattern "${pattern}"`,
    // In our documents, only the pattern of text lacks a description.
    plain: (field, { pattern, form: description = 'text without NUL and unpaired surrogates' }) =>
      `${field} must ${pattern === notBlank ? 'not be blank' : `be ${description}`}`,
  },
  minLength: {
    laravel: (field, { limit }) =>
      limit === 1 ? `The ${field} field is required.` : `The ${field} field must be at least ${limit} characters.`,
    schema: (_, { limit }) => `must NOT have fewer than ${limit} characters`,
    plain: (field, { limit }) => `${field} must ${limit === 1 ? 'not be empty' : `have at least ${limit} characters`}`,
  },
  maxLength: {
    laravel: (field, { limit }) => `The ${field} field must not be greater than ${limit} characters.`,
    schema: (_, { limit }) => `must NOT have more than ${limit} characters`,
    plain: (field, { limit }) => `${field} must have at most ${limit} characters`,
  },
  minimum: {
    laravel: (field, { limit }) => `The ${field} field must be at least ${limit}.`,
    schema: (_, { limit }) => `must be >= ${limit}`,
    plain: (field, { limit }) => `${field} must be at least ${limit}`,
  },
  maximum: {
    laravel: (field, { limit }) => `The ${field} field must not be greater than ${limit}.`,
    schema: (_, { limit }) => `must be <= ${limit}`,
    plain: (field, { limit }) => `${field} must be at most ${limit}`,
  },
  exclusiveMinimum: {
    laravel: (field, { limit }) => `The ${field} field must be greater than ${limit}.`,
    schema: (_, { limit }) => `must be > ${limit}`,
    plain: (field, { limit }) => `${field} must be more than ${limit}`,
  },
  minItems: {
    laravel: (field, { limit }) => `The ${field} field must have at least ${limit} items.`,
    schema: (_, { limit }) => `must NOT have fewer than ${limit} items`,
    plain: (field, { limit }) => `${field} must ${limit === 1 ? 'not be empty' : `have at least ${limit} items`}`,
  },
  uniqueItems: {
    laravel: (field) => `The ${field} field has a duplicate value.`,
    schema: () => 'must NOT have duplicate items',
    plain: (field) => `${field} must not have the same item twice`,
  },
  maxProperties: {
    laravel: (field, { limit }) => `The ${field} field must not have more than ${limit} items.`,
    schema: (_, { limit }) => `must NOT have more than ${limit} properties`,
    plain: (field, { limit }) => `${field} must have at most ${limit} members`,
  },
  additionalProperties: {
    laravel: (field) => `The ${field} field is prohibited.`,
    schema: () => 'must NOT be there',
    plain: (field, { known }) => `unknown field ${quote(field)}${didYouMean(field, known)}`,
  },
  'x-duration': {
    laravel: (field, { hint = '' }) => `The ${field} field must be a duration such as 8d, 2h 30m or P8D${hint}.`,
    schema: (_, { hint = '' }) => `must be a duration such as 8d, 2h 30m or P8D${hint}`,
    plain: (field, { hint = '' }) => `${field} must be a duration such as 8d, 2h 30m or P8D${hint}`,
  },
  'x-decimal-places': {
    laravel: (field, { limit }) => `The ${field} field must have ${limit === 0 ? 0 : `0-${limit}`} decimal places.`,
    schema: (_, { limit }) => `must NOT have more than ${limit} decimal places`,
    plain: (field, { limit }) => `${field} must have at most ${limit} decimal places`,
  },
  'x-not-before': {
    laravel: (field, { sibling }) =>
      `The ${field} field must be a date after or equal to ${fieldName(String(sibling))}.`,
    schema: (_, { sibling }) => `must NOT be before ${sibling}`,
    plain: (field, { sibling }) => `${field} must not be before ${sibling}`,
  },
  exists: {
    laravel: (field) => `The selected ${field} is invalid.`,
    schema: () => 'must be the id of an existing record',
    plain: (field) => `${field} must be the id of an existing record`,
  },
  unique: {
    laravel: (field) => `The ${field} has already been taken.`,
    schema: () => 'must NOT be taken already',
    plain: (field, { holder }) =>
      `${field} is already used${holder === undefined ? '' : ` by ${holder}`}; choose another one`,
  },
  'total-maximum': {
    laravel: (field, { limit }) => `The total of the ${field} must not be greater than ${limit}.`,
    schema: (_, { limit }) => `must have a total <= ${limit}`,
    plain: (field, { limit }) => `the total of the ${field} must be at most ${limit}`,
  },
  'total-minimum': {
    laravel: (field, { limit }) => `The total of the ${field} must be at least ${limit}.`,
    schema: (_, { limit }) => `must have a total >= ${limit}`,
    plain: (field, { limit }) => `the total of the ${field} must be at least ${limit}`,
  },
  json: {
    laravel: (field) => `The ${field} field is not valid JSON.`,
    schema: () => 'must be valid JSON',
    plain: (field) => `${field} must be valid JSON`,
  },
  // A violation of this rule brings its own message.
  custom: {
    laravel: (_, { message }) => String(message),
    schema: (_, { message }) => String(message),
    plain: (_, { message }) => String(message),
  },
};

const typeNames: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/** Writes a JSON Schema type as words: `an array`. */
export function typeName(type: unknown): string {
  return typeNames[String(type)] ?? String(type);
}

const laravelFormats: Record<string, string> = {
  email: 'be a valid email address',
  'date-time': 'be a time in 1970 or later, such as 2026-03-01T09:00:00Z',
};

const plainFormats: Record<string, string> = {
  email: 'an email address',
  date: 'a date that exists, such as 2026-03-31',
  'date-time': 'a time in 1970 or later, such as 2026-03-01T09:00:00Z',
};

/** The pattern of strings that must not be blank. */
const notBlank = '\\S';

/** Maximum number of allowed values to list. */
const maxListedValues = 20;

/** Lists the allowed values. Of a long list, such as the currencies, gives some examples, and the value probably meant. */
function describeAllowed(allowedValues: unknown, sent: unknown): string {
  const values = [allowedValues].flat().map(String);
  if (values.length <= maxListedValues) return values.join(', ');
  const examples = conjunction(values.slice(0, 3));
  return `${values.length} values such as ${examples}${typeof sent === 'string' ? didYouMean(sent, values, { listKnown: 'never' }) : ''}`;
}

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
        : wordingsOf(violation).schema(key, violation.params);
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
  return wordingsOf(violation).laravel(field, violation.params);
}

/** The message about a violation in our own words, whatever the profile. */
export function plainMessage(violation: FieldViolation): string {
  const { path, rule, params } = violation;
  const field =
    path.length === 0 ? 'the body' : `${params['isKey'] === true ? 'the key ' : ''}${shortenToLine(path.join('.'))}`;
  return wordingsOf(violation).plain(rule === 'additionalProperties' ? String(path.at(-1)) : field, params);
}

function wordingsOf({ rule }: FieldViolation): Wordings {
  const found = wordings[rule];
  if (!found) throw new Error(`no wording for the rule ${rule}`);
  return found;
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
