import { Console } from 'node:console';
import { Writable } from 'node:stream';

/**
 * Passes on what is printed to the console from now on. A driver may print, but the standard output of a run belongs to
 * its report.
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
