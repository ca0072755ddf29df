import { type FieldViolation, ServiceError } from '../domain/service-error.js';
import { violationsError } from '../http/control/error-messages.js';
import { errorText } from '../http/service/errors.js';
import type { Profile } from '../openapi/profile.js';

/** Names of options of the library, keyed by the fields of the control API that they set. */
export type OptionNames = Readonly<Record<string, string>>;

const defaultNames: OptionNames = {
  payment_link: 'paymentLink',
  random_seed: 'randomSeed',
  rate_limit: 'rateLimit',
  webhook_secret: 'webhookSecret',
  webhook_url: 'webhookUrl',
};

/**
 * Converts a ServiceError for users of the library: its message becomes a sentence, which names options as the library
 * does. Returns other errors unchanged.
 * @param profile determines the wording, as in responses of the service
 */
export function libraryError(error: unknown, profile: Profile, names: OptionNames = defaultNames): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { code, violations, hint } = error;
  // An error with a hint is already one of `inputError`.
  if (code === 'invalid') return hint === undefined ? inputError(violations, names) : error;
  const sentence = `${errorText(error, profile).error} (${code})`;
  return new ServiceError(code, { violations, hint, message: hint === undefined ? sentence : `${sentence}: ${hint}` });
}

/** Error for calls that need a running simulator. */
export function simulatorClosedError(): Error {
  return new Error('the simulator has been closed');
}

/** Converts an error that results from closing the simulator to `simulatorClosedError`. Returns others unchanged. */
export function toClosedError(error: unknown): unknown {
  const isFromClosing =
    error instanceof ServiceError && (error.code === 'account-replaced' || error.code === 'not-stored');
  return isFromClosing ? simulatorClosedError() : error;
}

/** Creates the error about an invalid input. Its message lists the violations, with the names of options. */
export function inputError(violations: readonly FieldViolation[], names: OptionNames = defaultNames): ServiceError {
  const rename = <Name>(name: Name) => (Object.hasOwn(names, String(name)) ? names[String(name)] : undefined) ?? name;
  return violationsError(
    violations.map(({ path: [field, ...rest], rule, params }) => ({
      path: field === undefined ? [] : [rename(field), ...rest],
      rule,
      params: withOptionNames(params, field, rename),
    })),
  );
}

/** Renames the fields that a message lists, and the field that it begins with. */
function withOptionNames(
  params: FieldViolation['params'],
  field: FieldViolation['path'][number] | undefined,
  rename: <Name>(name: Name) => Name | string,
): FieldViolation['params'] {
  const { known, message } = params;
  if (Array.isArray(known)) return { ...params, known: known.map(rename) };
  const prefix = `${field}: `;
  if (typeof message !== 'string' || !message.startsWith(prefix)) return params;
  return { ...params, message: `${rename(field)}: ${message.slice(prefix.length)}` };
}
