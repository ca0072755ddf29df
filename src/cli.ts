#!/usr/bin/env node
import module from 'node:module';

// Node 22.8 and newer keep compiled code on disk, so that the next command starts faster. All else is imported after this.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function') module.enableCompileCache();

const { errorCode } = await import('./lib/error-code.js');
const { runProgram } = await import('./commands/program.js');

// A reader such as `head` may close the pipe early; that is not a failure.
process.stdout.on('error', (error) => {
  if (errorCode(error) !== 'EPIPE') throw error;
});

await runProgram(process.argv.slice(2));
