import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { machineClock } from '../clock/machine.js';
import { formatInstant } from '../domain/dates.js';
import { unpaidAmount } from '../domain/invoice-lifecycle.js';
import type { Scenario } from '../domain/scenario.js';
import { ServiceError } from '../domain/service-error.js';
import type { components } from '../generated/control-validated-types.js';
import { builtInScenarios } from '../generated/scenarios.js';
import { createApp } from '../http/app.js';
import { clientErrorListener } from '../http/client-error.js';
import type { HandlerDependencies } from '../http/control/control-options.js';
import { requestView } from '../http/control/views.js';
import { Profiles } from '../http/document/profiles.js';
import { createMessageClasses, type MessageClasses } from '../http/message-classes.js';
import { readOrigin, readPublicUrl } from '../http/middleware/origins.js';
import { Views } from '../http/service/views.js';
import { expectedBearerToken, isBearerToken } from '../lib/bearer-token.js';
import { errorMessage, isError } from '../lib/errors.js';
import { allowHalfClosedConnections } from '../lib/half-closed.js';
import { lazy } from '../lib/lazy.js';
import { listen, urlOf } from '../lib/listen.js';
import { isLoopback } from '../lib/loopback.js';
import { sourceStack } from '../lib/source-stack.js';
import { UserError } from '../lib/user-error.js';
import { renderReminder } from '../mail/reminder.js';
import { createSmtpMailer } from '../mail/smtp.js';
import { ProfileError } from '../openapi/profile.js';
import type { Presentation } from '../simulation/state/account-state.js';
import type { Commit } from '../simulation/state/changes.js';
import type { Store } from '../simulation/state/ports.js';
import { StoredDataError } from '../simulation/state/stored-data-error.js';
import { contentsOf, createWorld, type World } from '../simulation/world.js';
import { toDataFolderError } from '../store/folder.js';
import type { Durability } from '../store/journal.js';
import { openJsonFileStore } from '../store/json-file.js';
import { createMemoryStore } from '../store/memory.js';
import { resolveListenerUrl } from '../webhooks/listener-url.js';
import { createWebhookSender } from '../webhooks/post.js';
import { webhookUrlProblem } from '../webhooks/url.js';
import { BackgroundContractRuns } from './contract-runs.js';
import { type DefaultAccount, type DefaultAccountOptions, openDefaultAccount } from './default-account.js';
import { createSendToSelf } from './send-to-self.js';

/**
 * Time after which idle connections are closed. Clients close them earlier (Go after 90 s, most others sooner), and
 * should: a request fails if the server closes the connection just as the client sends it.
 */
const keepAliveTimeoutMs = 95_000;

/** Options for the stored data and the `demo` account. */
export interface WorldSettings extends DefaultAccountOptions {
  /** Data folder; undefined keeps everything in memory. */
  readonly folder: string | undefined;
  readonly durability: Durability;
  /**
   * Size of the journals, in bytes, above which `db.json` is rewritten; by default 32 MB or the size of `db.json`,
   * whichever is larger.
   */
  readonly journalLimit?: number | undefined;
  /** True to start even if files of the folder were deleted or replaced by older ones. */
  readonly acceptRollback?: boolean | undefined;
  /** SMTP server that sends the emails, such as `smtp://127.0.0.1:1025`. */
  readonly smtp?: string | undefined;
  /** Scenarios besides the built-in ones; each replaces the built-in scenario with the same name, if there is one. */
  readonly scenarios?: readonly Scenario[] | undefined;
  /** Receives log messages, one line each. */
  readonly log: (line: string) => void;
}

export interface ServerSettings extends WorldSettings {
  /** Port to listen on; 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly controlToken: string | undefined;
  /** Public URL that links begin with, if it differs from where the server listens. */
  readonly publicUrl?: string | undefined;
  /** Origins whose pages may call the service; `*` for all. */
  readonly cors?: readonly string[] | undefined;
  /** Receives each request to the service when it has ended, and the id of its account. */
  readonly logRequest?: ((request: components['schemas']['LoggedRequest'], account: string) => void) | undefined;
}

export type { Durability };

interface OpenWorld extends DefaultAccount {
  readonly world: World;
  readonly views: Views;
  readonly profiles: Profiles;
  /** Stores everything and releases the data. */
  close(): Promise<void>;
}

/** A world with loaded data. Closing it before `startStoring` leaves the data unchanged. */
interface LoadedWorld extends OpenWorld {
  /**
   * Stores changes from now on, and also those made since loading, such as a new `demo` account.
   * @throws DataFolderError
   */
  startStoring(): Promise<void>;
}

export interface RunningServer extends OpenWorld {
  /** Such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** For calling operations of the control API in this process. */
  readonly handlerDependencies: HandlerDependencies;
}

/** Address of a server. It is complete once the server listens. */
interface ServerAddress {
  /** Public URL, which links begin with; empty until the server listens. */
  url: string;
  /** Port that the server listens on; undefined until a free one is picked. */
  port: number | undefined;
}

/** Error for unsafe settings. The message says why and what to do. */
class UnsafeSettingsError extends UserError {
  override readonly name = 'UnsafeSettingsError';
}

/** Time to end when the server stops, in milliseconds: first for contract runs, then for open requests and messages. */
const closeTimeoutMs = 1_000;

/**
 * Loads the data and makes sure that the `demo` account exists.
 * @throws DataFolderError, StoredDataError, ProfileError, SmtpUrlError, ServiceError clock-too-far,
 * webhook-url-invalid; UserError for two scenarios of the same name
 */
export async function loadWorld(
  settings: WorldSettings,
  address: Readonly<ServerAddress> = { url: '', port: undefined },
): Promise<LoadedWorld> {
  const views = new Views(address);
  const profiles = new Profiles();
  const webhooks = createWebhookSender({ ownPort: () => address.port });
  const mailer = settings.smtp === undefined ? undefined : createSmtpMailer(settings.smtp);
  // The store is created before the world, and reads the rows of the world through this object.
  const loaded: { world?: World } = {};
  const store = await openStore(settings, () => (loaded.world ? contentsOf(loaded.world) : []));
  const close = async (): Promise<void> => {
    loaded.world?.accounts.stop();
    webhooks.close();
    mailer?.close();
    await store.close();
  };
  try {
    const world = await createWorld({
      store,
      ports: {
        clock: machineClock,
        webhookUrlProblem: (url) => webhookUrlProblem(url, { port: address.port }),
        sendWebhook: webhooks.send,
        applyMessageFaults: async (message) =>
          (await import('../faults/messages/index.js')).applyEffectsToMessage(message),
        sendMail: mailer?.send,
        presentation: { deposit: views.deposit, payment: views.payment, reminder: reminderWith(views) },
        scenarios: withBuiltIn(settings.scenarios ?? []),
        onFailure: failureLogger(settings),
      },
      secret: () => randomBytes(16).toString('hex'),
      randomSeed: settings.randomSeed,
      resolveProfile: (choices) => profiles.resolve(choices),
      onStoreFailure: (error, description) => settings.log(`${description}: ${errorMessage(error)}`),
    });
    loaded.world = world;
    const defaultAccount = await openDefaultAccount(world, settings);
    const startStoring = async (): Promise<void> => {
      try {
        await store.begin();
        await world.commits.whenStored();
      } catch (error) {
        // The cause of a `not-stored` error is the failure of the store.
        const reason = error instanceof ServiceError ? error.cause : error;
        throw settings.folder === undefined ? error : toDataFolderError(settings.folder, reason);
      }
    };
    return { ...defaultAccount, world, views, profiles, startStoring, close };
  } catch (error) {
    await close();
    // Without a world, loading the stored data has failed. Later errors are about the settings.
    throw loaded.world === undefined ? withFolder(error, settings.folder) : error;
  }
}

/** Adds the data folder to an error about stored rows, or about an unknown choice in a stored profile. */
function withFolder(error: unknown, folder: string | undefined): unknown {
  if (folder === undefined) return error;
  if (error instanceof StoredDataError) return new StoredDataError(`${folder}: ${error.contradiction}`);
  if (!(error instanceof ProfileError)) return error;
  return new ProfileError(`${folder}: ${error.message}. Change it in db.json while the simulator is stopped.`);
}

/** @throws UnsafeSettingsError if the control token is invalid, or is missing although other machines may connect */
function requireSafeSettings({ host, controlToken }: ServerSettings): void {
  if (controlToken === undefined) {
    if (isLoopback(host)) return;
    throw new UnsafeSettingsError(
      `the host ${host} may be reachable from other machines; also set a control token (--control-token, or controlToken in the library)`,
    );
  }
  if (controlToken === '') throw new UnsafeSettingsError('the control token is empty; set or omit it');
  if (!isBearerToken(controlToken)) {
    throw new UnsafeSettingsError(`no request can send the control token: expected ${expectedBearerToken}`);
  }
}

/**
 * Wires the parts together and listens. Only this module chooses adapters, such as the store and the mailer.
 * @throws UnsafeSettingsError, OriginError, the errors of `loadWorld` or the error of `listen`
 */
export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  requireSafeSettings(settings);
  const publicUrl = settings.publicUrl === undefined ? undefined : readPublicUrl(settings.publicUrl);
  const cors = settings.cors?.map(readOrigin);
  const address: ServerAddress = { url: '', port: settings.port || undefined };
  const { startStoring, close, ...loaded } = await loadWorld(settings, address);
  const { world, views } = loaded;
  const messageClasses = createMessageClasses();
  const server = createHttpServer(messageClasses);
  try {
    const onFailure = failureLogger(settings);
    const { logRequest } = settings;
    const stopping = new AbortController();
    let ownUrl = '';
    const contractRuns = new BackgroundContractRuns({
      world,
      ownUrl: () => ownUrl,
      controlToken: settings.controlToken,
      stopping: stopping.signal,
      onFailure,
    });
    const handlerDependencies = {
      views,
      resolveListenerUrl,
      // Loaded on first use: most simulators never import a snapshot.
      readSnapshotFile: async (content: object) =>
        (await import('../store/snapshot-file.js')).readSnapshotFile(content),
      sendToSelf: createSendToSelf(() => ownUrl),
    };
    // Complete once the server listens: its URL must be served, whatever address it has.
    const allowedHosts = [...settings.allowedHosts];
    const app = createApp({
      ...settings,
      ...handlerDependencies,
      allowedHosts,
      messageClasses,
      publicUrl,
      cors,
      world,
      contractRuns,
      startedAt: formatInstant(machineClock.now()),
      // Loaded on first use: it takes longer than the rest of the startup.
      respondStatelessly: async (request) => (await import('../proxy/mock-response.js')).respondStatelessly(request),
      stopping: stopping.signal,
      onFailure,
      onRequest: logRequest && ((request, { id }) => logRequest(requestView(request), id)),
    });
    handleRequests(server, app);
    server.on('clientError', clientErrorListener(world));
    const listening = await listen(server, settings.port, settings.host);
    // Emitted, for example, if a connection cannot be accepted because too many files are open.
    server.on('error', onFailure);
    const url = urlOf(listening);
    ownUrl = url;
    allowedHosts.push(new URL(url).hostname);
    address.url = publicUrl?.origin ?? url;
    address.port = listening.port;
    // After everything that is likely to fail, so that a failed start changes nothing.
    await startStoring();
    removeTemporaryAccounts(world);
    await restoreWebhookUrls(world, listening.port);
    world.accounts.start();
    const stopAll = async (): Promise<void> => {
      stopping.abort();
      // Before the server stops, interrupted contract runs restore the settings of their account through it.
      await Promise.race([contractRuns.whenIdle(), sleep(closeTimeoutMs, undefined, { ref: false })]);
      await stop(server, world, close);
    };
    return { ...loaded, url, handlerDependencies, close: lazy(stopAll) };
  } catch (error) {
    server.close();
    server.closeAllConnections();
    await close();
    throw error;
  }
}

function createHttpServer(messageClasses: MessageClasses): Server {
  const server = createServer({
    ...messageClasses,
    // The app itself refuses a request without a Host header, so that the error is JSON.
    requireHostHeader: false,
    // Two Authorization headers become one that matches no token, so that neither of them wins.
    joinDuplicateHeaders: true,
    noDelay: true,
    keepAliveTimeout: keepAliveTimeoutMs,
  });
  allowHalfClosedConnections(server);
  return server;
}

function handleRequests(server: Server, app: RequestListener): void {
  server.on('request', app);
  // `100 Continue` is sent only when the app begins to read the body, so that a client whose request is refused before
  // that need not send the body.
  server.on('checkContinue', app);
  // Ignores expectations other than 100-continue: Node would answer them with a 417 that is not JSON.
  server.on('checkExpectation', app);
}

/** Logs internal errors of the simulator with their stacks. */
function failureLogger({ log }: WorldSettings): (error: unknown) => void {
  return (error) => log(isError(error) ? sourceStack(error) : String(error));
}

function reminderWith(views: Views): Presentation['reminder'] {
  return (account, invoice) => {
    const customer = account.customers.get(invoice.customer_id);
    if (!customer) throw new Error(`invoice ${invoice.id} has no customer`);
    const payUrl = account.hasPaymentInProgress(invoice) ? null : views.invoicePayUrl(account, invoice);
    return renderReminder({ invoice, customer, payUrl, outstanding: unpaidAmount(invoice) });
  };
}

async function openStore(settings: WorldSettings, allRows: () => Commit[]): Promise<Store> {
  if (settings.folder === undefined) return createMemoryStore();
  return openJsonFileStore({
    folder: settings.folder,
    durability: settings.durability,
    allRows,
    onNotice: settings.log,
    onCheckpointFailure: (error) =>
      settings.log(
        `db.json could not be written, or files that it replaces could not be removed, so the data folder keeps growing: ${errorMessage(error)}`,
      ),
    journalLimit: settings.journalLimit,
    acceptRollback: settings.acceptRollback ?? false,
  });
}

/** Stops in order: new requests, open requests, data. Unsent messages go out after the next start. */
async function stop(server: Server, world: World, close: () => Promise<void>): Promise<void> {
  let resolveTimedOut = (): void => undefined;
  const timedOut = new Promise<void>((resolve) => {
    resolveTimedOut = resolve;
  });
  const timer = setTimeout(() => {
    server.closeAllConnections();
    resolveTimedOut();
  }, closeTimeoutMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  await Promise.race([timedOut, Promise.all(world.accounts.all().map((account) => account.whenIdle()))]);
  clearTimeout(timer);
  await close();
}

/** Removes the accounts of contract runs that had not ended when the simulator stopped or crashed. */
function removeTemporaryAccounts({ accounts }: World): void {
  for (const account of accounts.all()) if (account.record.is_temporary) accounts.remove(account);
}

/** Restores the webhook URLs of accounts whose `billing-sim listen` ended while the simulator was stopped. */
async function restoreWebhookUrls({ accounts }: World, port: number): Promise<void> {
  for (const account of accounts.all()) {
    const { webhook_url: url } = account.record;
    const previous = await resolveListenerUrl(url);
    // A request may have changed the URL, or replaced the account, meanwhile.
    if (previous === url || account.isClosed || account.record.webhook_url !== url) continue;
    const isAllowed = previous !== null && webhookUrlProblem(previous, { port }) === undefined;
    accounts.configure(account, { webhookUrl: isAllowed ? previous : null });
  }
}

/** Adds the built-in scenarios that the given ones do not replace. @throws UserError if two have the same name */
function withBuiltIn(scenarios: readonly Scenario[]): Scenario[] {
  const names = new Set<string>();
  for (const { name } of scenarios) {
    if (names.has(name)) throw new UserError(`two scenarios have the name ${name}`);
    names.add(name);
  }
  return [...builtInScenarios.filter(({ name }) => !names.has(name)), ...scenarios];
}
