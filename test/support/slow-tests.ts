// Parts of the paths of slow test files: `vitest.config.ts` decides when these run. A part may match several files.

/** Files that mostly wait, for processes, retries or rate limits, and take longest. The slowest come first. */
export const waitingTests: readonly string[] = [
  'docs/pages.',
  'commands/listen.',
  'contract/compare.',
  'contract/prove-command.',
  'contract/other-clock.',
  'test/package.',
  'test/action.',
  'contract/calibrate',
  'contract/unusual-targets',
  'contract/target.',
  'contract/resume.',
  'contract/rate-limit.',
  'contract/command.',
  'pages/connection-in-browser.',
  'pages/guest-in-browser.',
  'test/clone-path.',
  'store/lock.',
  'commands/examples.',
  'commands/configuration.',
  'contract/limited-runs.',
  'contract/drivers.',
  'contract/preflight.',
  'contract/probes.',
  'contract/exit-codes.',
  'contract/mutants.',
  'contract/planted.',
  'test/crash/',
  'docs/reference.',
  'docs/request-walk.',
  'library/test-frameworks/',
  'proxy/command.',
];

/** Files that keep a processor busy for long. */
export const busyTests: readonly string[] = ['contract/planted-whole-runs.', 'gaps/choices.', '-in-browser.'];
