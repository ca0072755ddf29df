import { ServiceError } from '../domain/service-error.js';
import { violationsError } from '../http/control/error-messages.js';

/** Names of options of the library, by those of the fields of the control API that they set. */
export type OptionNames = Readonly<Record<string, string>>;

const defaultNames: OptionNames = {
  payment_link: 'paymentLink',
  random_seed: 'randomSeed',
  rate_limit: 'rateLimit',
  webhook_secret: 'webhookSecret',
  webhook_url: 'webhookUrl',
};

/**
 * Converts an error about an invalid input, so that its message has the violations, with the names of options. Returns
 * other errors unchanged.
 */
export function libraryError(error: unknown, names: OptionNames = defaultNames): unknown {
  if (!(error instanceof ServiceError && error.code === 'invalid' && error.hint === undefined)) return error;
  const rename = <Name>(name: Name) => names[String(name)] ?? name;
  const violations = error.violations.map(({ path: [field, ...rest], rule, params }) => ({
    path: field === undefined ? [] : [rename(field), ...rest],
    rule,
    params: Array.isArray(params['known']) ? { ...params, known: params['known'].map(rename) } : params,
  }));
  return violationsError(violations);
}
