/** Sender of the mails. Names under `.invalid` do not resolve (RFC 2606), so that replies reach nobody. */
export const sender = { name: 'Billing', address: 'billing@billing-sim.invalid' } as const;
