/** URL of a simulator that was started without options. */
export const defaultUrl = 'http://127.0.0.1:4010';
