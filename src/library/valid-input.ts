import { ServiceError } from '../domain/service-error.js';
import type { OperationId } from '../generated/control-document.js';
import { withViolationsInMessage } from '../http/control/error-messages.js';
import type { BodyOf } from '../http/control/operations.js';
import { validated } from '../http/service/validation.js';
import { parseJson } from '../lib/json.js';

/** Names in the control API, and what the options of the library are called if they have another name. */
const optionNames: Readonly<Record<string, string>> = {
  payment_link: 'paymentLink',
  random_seed: 'randomSeed',
  rate_limit: 'rateLimit',
  webhook_secret: 'webhookSecret',
  webhook_url: 'webhookUrl',
};

/**
 * Validates the input of a call as the control API validates the body of the operation, since plain JavaScript can pass
 * anything, and an invalid row could not be read at the next start.
 * @param names names of fields in messages, where they differ from those of the control API
 * @returns a copy with defaults
 * @throws ServiceError invalid, with the violations in its message
 */
export async function validInput<Id extends OperationId>(
  operation: Id,
  input: object,
  names: Readonly<Record<string, string>> = optionNames,
): Promise<BodyOf<Id>> {
  // Loaded on first use: a start does not need the operations.
  const { validatorsOf } = await import('../http/control/operations.js');
  try {
    // As JSON, in which a client would send it: without fields that are undefined.
    return validated(validatorsOf(operation).validateBody, parseJson(JSON.stringify(input)));
  } catch (error) {
    throw withViolationsInMessage(withNames(error, names));
  }
}

function withNames(error: unknown, names: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof ServiceError)) return error;
  const violations = error.violations.map(({ path: [field, ...rest], ...violation }) => ({
    ...violation,
    path: field === undefined ? [] : [names[field] ?? field, ...rest],
  }));
  return new ServiceError(error.code, { violations });
}
