import { Console } from 'node:console';
import { Writable } from 'node:stream';

/**
 * Redirects console output, since drivers may print, but stdout belongs to the report of the run.
 * @returns a function that restores the console
 */
export function captureConsole(onPrint: (text: string) => void): () => void {
  const { console } = globalThis;
  const stream = new Writable({
    write(chunk, _encoding, done) {
      onPrint(String(chunk));
      done();
    },
  });
  globalThis.console = new Console(stream);
  return () => {
    globalThis.console = console;
  };
}
