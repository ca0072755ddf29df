import { errorCode, isError } from '../../lib/errors.js';
import { CommandError } from './command-error.js';

/**
 * Turns the error of a server that cannot listen into a one-line error that says what to do. Returns other errors
 * unchanged.
 */
export function listenError(error: unknown, { port, host }: { readonly port: number; readonly host: string }): unknown {
  // The codes alone are not enough, because errors about unreadable files have the same ones.
  if (!(isError(error) && 'syscall' in error)) return error;
  if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') return error;
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new CommandError(`port ${port} is already in use; choose another with --port, or 0 for a free one`);
    case 'EACCES':
      return new CommandError(`no permission to listen on port ${port}; choose another with --port`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND': {
      const [, bracketed] = /^\[(.*)\]$/.exec(host) ?? [];
      const advice = bracketed === undefined ? 'choose another with --host' : `write ${bracketed}, without brackets`;
      return new CommandError(`${host} is not an address of this machine; ${advice}`);
    }
    default:
      return new CommandError(error.message);
  }
}
