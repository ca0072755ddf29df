import { runProgram } from '../commands/program.js';
import { exitWhenWritten } from '../lib/exit-process.js';
import { handleStdoutErrors } from '../lib/stdout-errors.js';

// The entry of the single executable, which is CommonJS and cannot await here. Errors are reported by the program
// itself.
handleStdoutErrors();
void runProgram(process.argv.slice(2)).then(exitWhenWritten);
