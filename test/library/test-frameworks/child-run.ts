import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The environment, without variables that would affect the tests of a child process. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|BILLING_|FORCE_COLOR$|NODE_ENV$|NODE_OPTIONS$|TEST$)/.test(name),
  ),
);

interface ChildRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node in the root of the repository until it exits. @param variables additional environment variables */
export function runNode(args: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<ChildRun> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: root, env: { ...env, ...variables, NO_COLOR: '1' } },
      // `execFile` reports an exit code other than 0 as an error; callers check `code` themselves.
      (error, stdout, stderr) =>
        child.exitCode === null ? reject(error) : resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
