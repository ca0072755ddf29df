import { ServiceError } from '../domain/service-error.js';
import { addMissingScheme } from '../lib/missing-scheme.js';
import type { Ports } from './state/account-state.js';

/**
 * Completes and checks a webhook URL; null and undefined are returned unchanged.
 * @throws ServiceError webhook-url-invalid
 */
export function readWebhookUrl(
  shortUrl: string | null | undefined,
  { webhookUrlProblem }: Pick<Ports, 'webhookUrlProblem'>,
): string | null | undefined {
  if (typeof shortUrl !== 'string') return shortUrl;
  const url = addMissingScheme(shortUrl);
  const problem = webhookUrlProblem(url);
  if (problem !== undefined) throw new ServiceError('webhook-url-invalid', { hint: problem });
  return url;
}
