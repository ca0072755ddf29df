import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The environment without the variables that this run of vitest has set, which would change that of a child. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:VITEST|BILLING_|NODE_ENV$|NODE_OPTIONS$|TEST$)/.test(name)),
);

interface ChildRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node in the root of the repository, to its end. */
export function runNode(args: readonly string[], own: Readonly<Record<string, string>> = {}): Promise<ChildRun> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: root, env: { ...env, ...own, NO_COLOR: '1' } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
