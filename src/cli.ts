#!/usr/bin/env node
import module from 'node:module';
import { runProgram } from './commands/program.js';
import { errorCode } from './lib/error-code.js';

// Node 22.8 and newer keep compiled code on disk, so that the next command starts faster.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function') module.enableCompileCache();

// A reader such as `head` may close the pipe early; that is not a failure.
process.stdout.on('error', (error) => {
  if (errorCode(error) !== 'EPIPE') throw error;
});

await runProgram(process.argv.slice(2));
