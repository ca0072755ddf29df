import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BackgroundContractRuns } from '../../src/app/contract-runs.js';
import { createSendToSelf } from '../../src/app/send-to-self.js';
import { readSeed } from '../../src/files/seed-file.js';
import { createApp } from '../../src/http/app.js';
import { Profiles } from '../../src/http/document/profiles.js';
import { createMessageClasses } from '../../src/http/message-classes.js';
import { Views } from '../../src/http/service/views.js';
import type { Choices } from '../../src/index.js';
import type { MachineClock } from '../../src/simulation/state/ports.js';
import type { AccountTokens } from '../../src/simulation/tokens.js';
import { createWorld, type World } from '../../src/simulation/world.js';
import { createMemoryStore } from '../../src/store/memory.js';
import { readSnapshotFile } from '../../src/store/snapshot-file.js';
import { resolveListenerUrl } from '../../src/webhooks/listener-url.js';
import { isolatedPorts } from './ports.js';

/** The application, served over HTTP, with a store that the test controls. */
export interface AppServer {
  readonly baseUrl: string;
  readonly world: World;
  readonly tokens: AccountTokens;
  close(): Promise<void>;
}

export interface AppServerOptions {
  /** Name of a built-in seed, or path of a seed file. */
  readonly seed: string;
  readonly choices?: Choices;
  /** ISO 8601 time at which the machine's clock is frozen; ignored if `clock` is set. */
  readonly now: string;
  readonly clock?: MachineClock;
  /** Called in place of the store for every commit made after the account has been created. */
  append(): Promise<void>;
}

/** Serves an application with the `demo` account on a free port. Creating the account does not call `append`. */
export async function openAppServer({ seed, choices = {}, now, clock, append }: AppServerOptions): Promise<AppServer> {
  const profiles = new Profiles();
  let isAccountCreated = false;
  const world = await createWorld({
    store: { ...createMemoryStore(), append: () => (isAccountCreated ? append() : Promise.resolve()) },
    ports: isolatedPorts({ clock: clock ?? { now: () => Date.parse(now), setTimer: () => () => undefined } }),
    secret: () => 'secret',
    resolveProfile: (choices) => profiles.resolve(choices),
    onStoreFailure: () => undefined,
  });
  const { tokens } = world.accounts.create({ id: 'demo', seed: await readSeed(seed), choices });
  await world.commits.whenStored();
  isAccountCreated = true;

  // The URL is set once the server listens, and not read before.
  const address = { url: '' };
  const onFailure = (error: unknown): void => console.error(error);
  const messageClasses = createMessageClasses();
  const app = createApp({
    messageClasses,
    world,
    views: new Views(address),
    resolveListenerUrl,
    readSnapshotFile,
    startedAt: '2026-03-01T09:00:00.000Z',
    sendToSelf: createSendToSelf(() => address.url),
    contractRuns: new BackgroundContractRuns({
      world,
      ownUrl: () => address.url,
      controlToken: undefined,
      stopping: new AbortController().signal,
      onFailure,
    }),
    // Tests with this server need no stateless responses, which the `Prefer` header requests.
    respondStatelessly: () => Promise.reject(new Error('this server does not respond to Prefer')),
    allowedHosts: [],
    controlToken: undefined,
    stopping: new AbortController().signal,
    onFailure,
  });
  const server = createServer(messageClasses, app);
  server.on('checkContinue', app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address.url = `http://127.0.0.1:${portOf(server.address())}`;
  return {
    baseUrl: `${address.url}/api/v1`,
    world,
    tokens,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('the server is not listening');
  return address.port;
}
