/**
 * Timeout for tests, and for waits within tests, that take much less time even on a busy machine. Tests wait for events
 * instead of fixed times, so only a test that hangs reaches this timeout, and fails.
 */
export const hangTimeoutMs = 300_000;
