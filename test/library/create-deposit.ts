import type { SimulatorAccount } from '../../src/index.js';
import { clientOf } from '../support/client.js';

/** Creates a deposit through the API. @returns its id */
export async function createDeposit(
  { baseUrl, tokens }: SimulatorAccount,
  metadata: Record<string, string> = {},
): Promise<number> {
  const client = clientOf(baseUrl, tokens.full);
  const { data } = await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 300, metadata } });
  return Number(data?.data.id);
}
