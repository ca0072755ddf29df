/** The sender of all emails. Domains under `.invalid` do not resolve (RFC 2606), so replies reach nobody. */
export const sender = { name: 'Billing', address: 'billing@billing-sim.invalid' } as const;
