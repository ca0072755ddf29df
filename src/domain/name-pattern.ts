/**
 * Ids of accounts and names of snapshots: 1 to 63 lowercase letters, digits, `_` and `-`, beginning with a letter or
 * digit. They are part of tokens, file names and page URLs.
 */
export const namePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/;
