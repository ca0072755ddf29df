/** Whom mails are from. Names under `.invalid` lead nowhere (RFC 2606), so that no answer reaches a stranger. */
export const sender = { name: 'Billing', address: 'billing@billing-sim.invalid' } as const;
