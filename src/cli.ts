#!/usr/bin/env node
import module from 'node:module';

// Node 22.8 and newer keep compiled code on disk, so that the next command starts faster. This applies only to modules
// that are imported afterwards.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function') module.enableCompileCache();

const { handleStdoutErrors } = await import('./lib/stdout-errors.js');
const { exitWhenWritten } = await import('./lib/exit-process.js');
const { runProgram } = await import('./commands/program.js');

handleStdoutErrors();
await runProgram(process.argv.slice(2));
await exitWhenWritten();
