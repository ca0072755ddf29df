import importedConsole from 'node:console';
import { expect, onTestFinished, test, vi } from 'vitest';
import { captureConsole } from '../../src/contract/engine/capture-console.js';

test('what is printed to the console, an imported console and stdout is captured until the console is restored', () => {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
  onTestFinished(() => write.mockRestore());
  const printed: string[] = [];
  const restore = captureConsole((text) => printed.push(text));
  try {
    console.log('to the console');
    importedConsole.log('to an imported console');
    process.stdout.write('to stdout\n');
  } finally {
    restore();
  }
  importedConsole.log('later');
  expect(printed).toEqual(['to the console\n', 'to an imported console\n', 'to stdout\n']);
  expect(written).toEqual(['later\n']);
});
