import { sendHttpRequest } from './send-http-request.js';

/** Number of records of an account in each list of the service. */
export interface Counts {
  readonly invoices: number;
  readonly payment_links: number;
  readonly payments: number;
  readonly deposits: number;
}

/** Record counts of an account seeded with `demo`. */
export const demoCounts: Counts = { invoices: 9, payment_links: 3, payments: 8, deposits: 7 };

export async function countRecords(url: string, token: string): Promise<Counts> {
  const total = async (list: string): Promise<number> => {
    const { text } = await sendHttpRequest(url, { path: `/api/v1/${list}`, token });
    return JSON.parse(text).data.total;
  };
  return {
    invoices: await total('invoices'),
    payment_links: await total('payment-links'),
    payments: await total('payments'),
    deposits: await total('deposits'),
  };
}
