/**
 * Milliseconds after which a test, or a wait within one, is given up. Tests wait for events: this only ends what hangs, and is
 * far beyond what a busy machine takes.
 */
export const limitMs = 300_000;
