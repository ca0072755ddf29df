import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The environment, without the variables of this run of vitest that would affect a child process. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:VITEST|BILLING_|NODE_ENV$|NODE_OPTIONS$|TEST$)/.test(name)),
);

interface ChildRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node in the root of the repository until it exits. @param variables additional environment variables */
export function runNode(args: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<ChildRun> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: root, env: { ...env, ...variables, NO_COLOR: '1' } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
