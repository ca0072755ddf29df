import { ask } from './ask.js';

/** How many records of each kind an account has. */
export interface Counts {
  readonly invoices: number;
  readonly payment_links: number;
  readonly payments: number;
  readonly deposits: number;
}

/** What an account seeded with `demo` begins with. */
export const demoCounts: Counts = { invoices: 9, payment_links: 3, payments: 8, deposits: 7 };

export async function countRecords(url: string, token: string): Promise<Counts> {
  const total = async (list: string): Promise<number> => {
    const { text } = await ask(url, { path: `/api/v1/${list}`, token });
    return JSON.parse(text).data.total;
  };
  return {
    invoices: await total('invoices'),
    payment_links: await total('payment-links'),
    payments: await total('payments'),
    deposits: await total('deposits'),
  };
}
