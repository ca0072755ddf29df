import { Console } from 'node:console';
import { Writable } from 'node:stream';

/**
 * Redirects what drivers print to the console and to stdout, since stdout belongs to the report of the run.
 * @returns a function that restores both
 */
export function captureConsole(onPrint: (text: string) => void): () => void {
  const { console } = globalThis;
  const { stdout } = process;
  const stream = new Writable({
    write(chunk, _encoding, done) {
      onPrint(String(chunk));
      done();
    },
  });
  globalThis.console = new Console(stream);
  replaceStdout(stream);
  return () => {
    globalThis.console = console;
    replaceStdout(stdout);
  };
}

function replaceStdout(stream: Writable): void {
  Object.defineProperty(process, 'stdout', { configurable: true, enumerable: true, get: () => stream });
}
