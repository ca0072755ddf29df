import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { machineClock } from '../clock/machine.js';
import { isLoopback } from '../domain/hosts.js';
import { unpaidPart } from '../domain/invoice-lifecycle.js';
import type { Scenario } from '../domain/scenario.js';
import type { Seed } from '../domain/seed.js';
import { shippedScenarios } from '../generated/scenarios.js';
import { createApp } from '../http/app.js';
import { answerClientError } from '../http/client-error.js';
import { apiOf, Profiles } from '../http/document/profiles.js';
import { createMessageClasses } from '../http/message-classes.js';
import { readOrigin, readPublicUrl } from '../http/middleware/origins.js';
import { createViews, type Views } from '../http/service/views.js';
import { errorMessage } from '../lib/error-message.js';
import { listen, urlOf } from '../lib/listen.js';
import { sourceStack } from '../lib/source-stack.js';
import { UserError } from '../lib/user-error.js';
import { renderReminder } from '../mail/reminder.js';
import { createSmtpMailer } from '../mail/smtp.js';
import { type Choices, ProfileError } from '../openapi/profile.js';
import { type AccountTokens, defaultAccount } from '../simulation/accounts.js';
import type { Presentation } from '../simulation/state/account-state.js';
import type { Commit } from '../simulation/state/changes.js';
import type { Store } from '../simulation/state/ports.js';
import { contentsOf, createWorld, type World } from '../simulation/world.js';
import type { Durability } from '../store/journal.js';
import { openJsonFileStore } from '../store/json-file.js';
import { createMemoryStore } from '../store/memory.js';
import { createWebhookSender } from '../webhooks/post.js';
import { refuseWebhookUrl } from '../webhooks/url.js';
import { payloadParsers } from './payload-parsers.js';

/**
 * Milliseconds for which an idle connection is kept open. Longer than clients keep one (Go 90 s, most of them less): a
 * server that closes first may do so while a request is on its way, which the client then sees fail.
 */
const keepAliveTimeout = 95_000;

/** Which data, and what the account `demo` is like. */
export interface WorldSettings {
  /** Where data is kept; undefined keeps it in memory. */
  readonly folder: string | undefined;
  readonly durability: Durability;
  /** `db.json` is written anew when the journals are larger than this, in bytes; by default than 32 MB and than `db.json`. */
  readonly journalLimit?: number | undefined;
  /** Whether to go on where files of the folder were deleted or replaced by older ones; false refuses the start. */
  readonly acceptRollback?: boolean | undefined;
  /** Seed of `demo` if it does not exist yet. */
  readonly seed: Seed;
  /** Its profile; undefined leaves the one that is stored. */
  readonly choices: Choices | undefined;
  /** ISO 8601; freezes its clock there. */
  readonly now: string | undefined;
  readonly randomSeed: string | undefined;
  readonly rateLimit: boolean | undefined;
  /** Where events are told; null for nowhere, undefined leaves what is stored. */
  readonly webhookUrl?: string | null | undefined;
  readonly webhookSecret?: string | undefined;
  /** SMTP server that mails are handed to, such as `smtp://127.0.0.1:1025`. */
  readonly smtp?: string | undefined;
  /** Scenarios besides those that are shipped. */
  readonly scenarios?: readonly Scenario[] | undefined;
  /** Told, a line each, what is worth knowing. */
  readonly log: (line: string) => void;
}

export interface ServerSettings extends WorldSettings {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly controlToken: string | undefined;
  /** Public URL that links begin with, if it differs from where the server listens. */
  readonly publicUrl?: string | undefined;
  /** Origins whose pages may call the service; `*` for all. */
  readonly cors?: readonly string[] | undefined;
}

export type { Durability };

interface OpenWorld {
  readonly world: World;
  readonly views: Views;
  readonly profiles: Profiles;
  /** The tokens of `demo`, where they can be known. */
  readonly tokens: AccountTokens | undefined;
  /** Stores everything and releases the data. */
  close(): Promise<void>;
}

/** A world whose data was read, and not changed: closed now, it leaves everything as it was. */
interface LoadedWorld extends OpenWorld {
  /** Stores what was made beyond the data, such as the account `demo`; from now on changes are stored. */
  begin(): Promise<void>;
}

export interface RunningServer extends OpenWorld {
  /** Such as `http://127.0.0.1:4010`. */
  readonly url: string;
}

/** Where a server is reached, once it listens. */
interface Place {
  url: string;
  port: number | undefined;
}

/** Error for unsafe settings. The message says why and what to do. */
class UnsafeError extends UserError {
  override readonly name = 'UnsafeError';
}

/** How long requests, and messages on their way, have to finish when the server ends, in milliseconds. */
const closeTimeoutMs = 1_000;

/**
 * Reads the data and makes sure of the account `demo`.
 * @throws DataFolderError, StoredDataError, ProfileError, SmtpUrlError, ServiceError clock-backwards, webhook-url
 */
export async function loadWorld(
  settings: WorldSettings,
  place: Readonly<Place> = { url: '', port: undefined },
): Promise<LoadedWorld> {
  const views = createViews(() => place.url);
  const profiles = new Profiles();
  const webhooks = createWebhookSender({ ownPort: () => place.port });
  const mailer = settings.smtp === undefined ? undefined : createSmtpMailer(settings.smtp);
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
        webhookUrlProblem: (url) => refuseWebhookUrl(url, { port: place.port }),
        sendWebhook: webhooks.send,
        applyMessageFaults: async (message) => (await import('../faults/messages/index.js')).treatMessage(message),
        sendMail: mailer?.send,
        presentation: { deposit: views.deposit, payment: views.paymentRow, reminder: reminderWith(views) },
        scenarios: [...shippedScenarios, ...(settings.scenarios ?? [])],
      },
      secret: () => randomBytes(16).toString('hex'),
      randomSeed: settings.randomSeed,
      resolveProfile: (choices) => profiles.resolve(choices),
      onStoreFailure: (error) => settings.log(`a change could not be stored: ${errorMessage(error)}`),
    });
    loaded.world = world;
    const tokens = openDefaultAccount(world, settings);
    const begin = async (): Promise<void> => {
      await store.begin();
      await world.commits.settled();
    };
    return { world, views, profiles, tokens, begin, close };
  } catch (error) {
    await close();
    // Until the world is there, choices are read from the data alone.
    throw loaded.world === undefined ? named(error, settings.folder) : error;
  }
}

/** Says where a choice is stored that there is not. */
function named(error: unknown, folder: string | undefined): unknown {
  if (!(error instanceof ProfileError) || folder === undefined) return error;
  return new ProfileError(`${folder}: ${error.message}. Change it in db.json while the simulator is stopped.`);
}

/**
 * Puts the parts together and listens. The only place that picks adapters.
 * @throws UnsafeError, OriginError, what `loadWorld` throws, or the error of `listen`
 */
export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  if (settings.controlToken === '') throw new UnsafeError('the control token is empty; set or omit it');
  if (!isLoopback(settings.host) && settings.controlToken === undefined) {
    throw new UnsafeError(`--host ${settings.host} is reachable from other machines; set --control-token too`);
  }
  const publicUrl = settings.publicUrl === undefined ? undefined : readPublicUrl(settings.publicUrl);
  const cors = settings.cors?.map(readOrigin);
  const place: Place = { url: '', port: settings.port || undefined };
  const { world, views, profiles, tokens, begin, close } = await loadWorld(settings, place);
  // Joins duplicate headers: two Authorization headers become one that matches no token, so neither wins.
  const messageClasses = createMessageClasses();
  const server = createServer({
    ...messageClasses,
    requireHostHeader: false,
    joinDuplicateHeaders: true,
    noDelay: true,
    keepAliveTimeout,
  });
  try {
    // A schema that does not compile strictly stops the start here.
    for (const account of world.accounts.all()) apiOf(account.profile);
    const onFailure = (error: unknown): void =>
      settings.log(error instanceof Error ? sourceStack(error) : String(error));
    const stopping = new AbortController();
    const app = createApp({
      ...settings,
      messageClasses,
      publicUrl,
      cors,
      world,
      views,
      payloadParsers,
      // Loaded when first asked for: it takes longer than the whole start.
      answerStatelessly: async (asked) => (await import('../proxy/mock-response.js')).answerStatelessly(asked),
      stopping: stopping.signal,
      onFailure,
    });
    server.on('request', app);
    // `100 Continue` is sent once the body is read, so that the client of a rejected request need not send it.
    server.on('checkContinue', app);
    // Ignores other expectations than 100-continue: Node would answer them with a 417 that is not JSON.
    server.on('checkExpectation', app);
    server.on('clientError', answerClientError(world));
    const address = await listen(server, settings.port, settings.host);
    const url = urlOf(address);
    place.url = publicUrl?.href ?? url;
    place.port = address.port;
    // Only now, so that a start that is refused changes nothing.
    await begin();
    world.accounts.start();
    const stopAll = (): Promise<void> => {
      stopping.abort();
      return stop(server, world, close);
    };
    return { url, world, views, profiles, tokens, close: stopAll };
  } catch (error) {
    server.close();
    server.closeAllConnections();
    await close();
    throw error;
  }
}

function reminderWith(views: Views): Presentation['reminder'] {
  return (account, invoice) => {
    const customer = account.customers.get(invoice.customer_id);
    if (!customer) throw new Error(`invoice ${invoice.id} has no customer`);
    const payUrl = account.hasPaymentUnderWay(invoice) ? null : views.invoicePayUrl(account, invoice);
    return renderReminder({ invoice, customer, payUrl, outstanding: unpaidPart(invoice) });
  };
}

async function openStore(settings: WorldSettings, contents: () => Commit[]): Promise<Store> {
  if (settings.folder === undefined) return createMemoryStore();
  return openJsonFileStore({
    folder: settings.folder,
    durability: settings.durability,
    contents,
    onNotice: settings.log,
    onCheckpointFailure: (error) =>
      settings.log(`db.json could not be written, so the journal goes on: ${errorMessage(error)}`),
    journalLimit: settings.journalLimit,
    acceptRollback: settings.acceptRollback ?? false,
  });
}

/** Makes the account `demo`, or brings the one that is stored in line with the options. */
function openDefaultAccount(world: World, options: WorldSettings): AccountTokens | undefined {
  const { seed, now, randomSeed } = options;
  const stored = world.accounts.get(defaultAccount);
  if (!stored) return world.accounts.create({ ...options, id: defaultAccount, seed, randomSeed }).tokens;
  const account = world.accounts.configure(stored, options);
  if (now !== undefined) account.schedule.freezeAt(Date.parse(now));
  return world.accounts.knownTokens(defaultAccount, seed.tokens);
}

/** Ends in order: no new requests, then what is under way, then the data. What has not been sent by then goes out next time. */
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
