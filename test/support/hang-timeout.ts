/**
 * Timeout of a test, or of a wait within one. Tests wait for events, so it only ends tests that hang, and is far longer
 * than a test takes even on a busy machine.
 */
export const hangTimeoutMs = 300_000;
