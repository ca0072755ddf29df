import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { machineClock } from './clock/machine.js';
import { createApp } from './http/app.js';
import { answerBrokenRequest } from './http/broken-request.js';
import { apiOf } from './http/document.js';
import { isLoopback } from './http/host.js';
import { type Choices, resolveProfile } from './http/profile.js';
import { type AccountTokens, defaultAccount } from './simulation/accounts.js';
import { contentsOf, createWorld, type World } from './simulation/create-world.js';
import type { Seed } from './simulation/seed.js';
import type { Commit, Store } from './simulation/world.js';
import type { Durability } from './store/journal.js';
import { openJsonFileStore } from './store/json-file.js';
import { createMemoryStore } from './store/memory.js';

/** Which data, and what the account `demo` is like. */
export interface WorldSettings {
  /** Where data is kept; undefined keeps it in memory. */
  readonly folder: string | undefined;
  readonly durability: Durability;
  /** What `demo` begins with, where it does not exist yet. */
  readonly seed: Seed;
  /** Its profile; undefined leaves the one that is stored. */
  readonly choices: Choices | undefined;
  /** ISO 8601; freezes its clock there. */
  readonly now: string | undefined;
  readonly randomSeed: string | undefined;
  readonly rateLimit: boolean | undefined;
  /** Told, a line each, what is worth knowing. */
  readonly log: (line: string) => void;
}

export interface ServerSettings extends WorldSettings {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly controlToken: string | undefined;
}

export interface OpenWorld {
  readonly world: World;
  /** The tokens of `demo`, where they can be known. */
  readonly tokens: AccountTokens | undefined;
  /** Stores everything and lets go of the data. */
  close(): Promise<void>;
}

export interface RunningServer extends OpenWorld {
  /** Such as `http://127.0.0.1:4010`. */
  readonly url: string;
}

/** What was asked for is not safe. The message says why and what to do. */
export class UnsafeError extends Error {
  override readonly name = 'UnsafeError';
}

/** How long requests under way have to finish when the server ends, in milliseconds. */
const patience = 1_000;

/** Loads the data and makes sure of the account `demo`. @throws DataFolderError, ProfileError */
export async function openWorld(settings: WorldSettings): Promise<OpenWorld> {
  const loaded: { world?: World } = {};
  const store = await openStore(settings, () => (loaded.world ? contentsOf(loaded.world) : []));
  try {
    const world = await createWorld({
      store,
      clock: machineClock,
      secret: () => randomBytes(16).toString('hex'),
      resolveProfile,
      onStoreFailure: (error) => settings.log(`a change could not be stored: ${messageOf(error)}`),
    });
    loaded.world = world;
    const tokens = openDefaultAccount(world, settings);
    await world.ledger.settled();
    return { world, tokens, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Puts the parts together and listens. The only place that picks adapters.
 * @throws UnsafeError, DataFolderError, ProfileError, or the error of `listen`
 */
export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  if (settings.controlToken === '') throw new UnsafeError('the control token is empty; set one, or leave it out');
  if (!isLoopback(settings.host) && settings.controlToken === undefined) {
    throw new UnsafeError(`--host ${settings.host} is reachable by others: it needs --control-token too`);
  }
  const { world, tokens, close } = await openWorld(settings);
  try {
    // A schema that does not compile strictly stops the start here.
    for (const account of world.accounts.all()) apiOf(account.profile);
    let url = '';
    // Of two Authorization headers none may win, so they are joined, which is no token.
    const server = createServer({ requireHostHeader: false, joinDuplicateHeaders: true, noDelay: true });
    const onFailure = (error: unknown): void => settings.log(error instanceof Error ? `${error.stack}` : String(error));
    const app = createApp({ ...settings, world, origin: () => url, onFailure });
    server.on('request', app);
    // An expectation other than 100-continue is ignored; the server's own answer to it is no JSON.
    server.on('checkExpectation', app);
    server.on('clientError', answerBrokenRequest(world));
    url = urlOf(await listen(server, settings.port, settings.host));
    return { url, world, tokens, close: () => stop(server, close) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openStore(settings: WorldSettings, contents: () => Commit[]): Promise<Store> {
  if (settings.folder === undefined) return createMemoryStore();
  return openJsonFileStore({
    folder: settings.folder,
    durability: settings.durability,
    contents,
    onNotice: settings.log,
    onSnapshotFailure: (error) =>
      settings.log(`the snapshot could not be written, so the journal goes on: ${messageOf(error)}`),
  });
}

/** Makes the account `demo`, or brings the one that is stored in line with the options. */
function openDefaultAccount(world: World, options: WorldSettings): AccountTokens | undefined {
  const { seed, choices, now, randomSeed, rateLimit } = options;
  if (!world.accounts.get(defaultAccount)) {
    return world.accounts.create({ id: defaultAccount, seed, choices, now, randomSeed, rateLimit }).tokens;
  }
  world.accounts.reconfigure(defaultAccount, { choices, now, rateLimit });
  return world.accounts.knownTokens(defaultAccount, seed.tokens);
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(address);
      else reject(new Error(`${host} is no network address`));
    });
  });
}

/** Where clients on this machine reach the server, also when it listens on every address. */
function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

async function stop(server: Server, close: () => Promise<void>): Promise<void> {
  const impatience = setTimeout(() => server.closeAllConnections(), patience);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  clearTimeout(impatience);
  await close();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
