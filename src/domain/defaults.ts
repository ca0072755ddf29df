/** Id of the account that always exists; its profile and clock apply to requests without a known account. */
export const defaultAccountId = 'demo';

/** URL of a simulator that was started without options. */
export const defaultUrl = 'http://127.0.0.1:4010';
