import type { NextFunction, Request, Response } from 'express';
import { type FieldViolation, ServiceError } from '../../domain/service-error.js';
import { didYouMean } from '../../lib/did-you-mean.js';
import { disjunction, quote } from '../../lib/messages.js';

type Params = FieldViolation['params'];

/**
 * Messages for violated rules, keyed by the JSON Schema keyword. Keywords that start with `x-` are ours. Two keys are not
 * keywords: `unique` is for a value that something else already has, and `custom` for a violation with its own message.
 */
const wordings: Readonly<Record<string, (field: string, params: Params) => string>> = {
  required: (field) => `${field} is required`,
  type: (field, { type }) =>
    `${field} must be ${disjunction([type].flat().map((name) => typeNames[String(name)] ?? String(name)))}`,
  enum: (field, { allowedValues }) => `${field} must be one of ${[allowedValues].flat().join(', ')}`,
  anyOf: (field, { allowed }) => `${field} must be ${disjunction([allowed].flat().map(String))}`,
  oneOf: (_field, { fields }) => `exactly one of ${[fields].flat().join(', ')} is required`,
  additionalProperties: (field, { known }) => `unknown field ${quote(field)}${didYouMean(field, known)}`,
  format: (field, { format }) =>
    `${field} must be ${format === 'email' ? 'an email address' : 'a time in 1970 or later, such as 2026-03-01T09:00:00Z'}`,
  pattern: (field, { form: description, pattern }) =>
    `${field} must ${description === undefined ? `match ${pattern}` : `be ${description}`}`,
  minLength: (field) => `${field} must not be empty`,
  maxLength: (field, { limit }) => `${field} must have at most ${limit} characters`,
  minItems: (field) => `${field} must not be empty`,
  uniqueItems: (field) => `${field} must not have the same item twice`,
  minimum: (field, { limit }) => `${field} must be at least ${limit}`,
  maximum: (field, { limit }) => `${field} must be at most ${limit}`,
  exclusiveMinimum: (field, { limit }) => `${field} must be more than ${limit}`,
  'x-duration': (field, { hint = '' }) => `${field} must be a duration such as 8d, 2h 30m or P8D${hint}`,
  'x-decimal-places': (field, { limit }) => `${field} must have at most ${limit} decimal places`,
  unique: (field, { holder }) => `${field} is already used by ${holder}; choose another one`,
  custom: (_field, { message }) => String(message),
};

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** Error middleware that rewords violations: unlike in the service, their wording does not depend on the profile. */
export function withControlMessages(error: unknown, _request: Request, _response: Response, next: NextFunction): void {
  next(error instanceof ServiceError && error.code === 'invalid' ? reworded(error) : error);
}

/** Creates the error that the library throws for invalid arguments. Its message lists the violations. */
export function violationsError(violations: readonly FieldViolation[]): ServiceError {
  return new ServiceError('invalid', { violations, hint: [...new Set(violations.map(messageOf))].join('; ') });
}

function reworded(serviceError: ServiceError): ServiceError {
  const violations = serviceError.violations.map(
    (violation): FieldViolation => ({
      path: violation.path,
      rule: 'custom',
      params: { message: messageOf(violation) },
    }),
  );
  return new ServiceError('invalid', { hint: serviceError.hint, violations });
}

function messageOf({ path, rule, params }: FieldViolation): string {
  const wording = wordings[rule];
  if (!wording) throw new Error(`the control API has no message for the rule ${rule}`);
  const field = path.length === 0 ? 'the body' : path.join('.');
  return wording(rule === 'additionalProperties' ? String(path.at(-1)) : field, params);
}
