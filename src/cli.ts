#!/usr/bin/env node
import module from 'node:module';

// Older versions fail with a syntax error when the modules below are imported, since Node lacks what they import from it.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 2)) {
  const needed = 'Node 20.19, or 22.2 or newer';
  process.stderr.write(`error: billing-sim needs ${needed}, and this is Node ${process.versions.node}\n`);
  process.exit(2);
}

// Node 22.8 and newer keep compiled code on disk, so that the next command starts faster. This applies only to modules
// that are imported afterwards.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function') module.enableCompileCache();

const { handleStdoutErrors } = await import('./lib/stdout-errors.js');
const { exitWhenWritten } = await import('./lib/exit-process.js');
const { runProgram } = await import('./commands/program.js');

handleStdoutErrors();
await runProgram(process.argv.slice(2));
await exitWhenWritten();
