/** Id of the account that always exists; its profile and clock apply to requests without a known account. */
export const defaultAccountId = 'demo';
