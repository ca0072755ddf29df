#!/usr/bin/env node
import { Command } from 'commander';
import { CommandError } from './commands/command-error.js';
import { seedCommand } from './commands/seed.js';
import { startCommand } from './commands/start.js';
import { FileError } from './fixtures.js';
import { version } from './generated/version.js';
import { ProfileError } from './http/profile.js';
import { UnsafeError } from './server.js';
import { SeedError } from './simulation/seed.js';
import { DataFolderError } from './store/lock.js';

const program = new Command('billing-sim')
  .description('A local stand-in for the Billing Service')
  .version(version)
  .showSuggestionAfterError()
  .addCommand(startCommand())
  .addCommand(seedCommand());

try {
  await program.parseAsync();
} catch (error) {
  const expected = [CommandError, DataFolderError, FileError, ProfileError, SeedError, UnsafeError].some(
    (kind) => error instanceof kind,
  );
  console.error(expected && error instanceof Error ? `error: ${error.message}` : error);
  process.exitCode = 2;
}
