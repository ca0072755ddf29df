import { Console } from 'node:console';
import { Writable } from 'node:stream';

/**
 * Redirects what drivers print to the console and to stdout, since stdout belongs to the report of the run. The errors and
 * warnings of a console that a driver has imported still go to stderr.
 * @returns a function that restores both
 */
export function captureConsole(onPrint: (text: string) => void): () => void {
  const { console } = globalThis;
  const { write } = process.stdout;
  const stream = new Writable({
    write(chunk, _encoding, done) {
      onPrint(String(chunk));
      done();
    },
  });
  globalThis.console = new Console(stream);
  // Only the method is replaced: a driver may have imported the original console, which keeps `process.stdout`.
  // It always returns true, since `drain` events of `stream` would not reach a pipe to `process.stdout`.
  process.stdout.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    stream.write(chunk);
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
  return () => {
    globalThis.console = console;
    process.stdout.write = write;
  };
}
