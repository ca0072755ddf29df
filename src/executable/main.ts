import { runProgram } from '../commands/program.js';
import { tolerateClosedPipe } from '../lib/tolerate-closed-pipe.js';

// The entry of the single executable, which is CommonJS and cannot await here. Errors are reported by the program itself.
tolerateClosedPipe();
void runProgram(process.argv.slice(2));
