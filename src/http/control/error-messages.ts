import type { NextFunction, Request, Response } from 'express';
import { type FieldViolation, ServiceError } from '../../domain/service-error.js';
import { plainMessage } from '../service/messages.js';

/** Error middleware that rewords violations: unlike in the service, their wording does not depend on the profile. */
export function withControlMessages(error: unknown, _request: Request, _response: Response, next: NextFunction): void {
  next(error instanceof ServiceError && error.code === 'invalid' ? reworded(error) : error);
}

/** Creates the error that the library throws for invalid arguments. Its message lists the violations. */
export function violationsError(violations: readonly FieldViolation[]): ServiceError {
  return new ServiceError('invalid', { violations, hint: [...new Set(violations.map(plainMessage))].join('; ') });
}

function reworded(serviceError: ServiceError): ServiceError {
  const violations = serviceError.violations.map(
    (violation): FieldViolation => ({
      path: violation.path,
      rule: 'custom',
      params: { message: plainMessage(violation) },
    }),
  );
  return new ServiceError('invalid', { hint: serviceError.hint, violations });
}
