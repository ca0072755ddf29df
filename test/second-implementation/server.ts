import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDriver, type Driver } from './driver.js';
import { faults } from './faults/index.js';
import { defaults, type Options } from './options.js';
import { RateLimiter } from './rate-limiter.js';
import { basePath, RequestHandler, type Token, writeResponse } from './request-handler.js';
import { createOtherClient, seed } from './seed.js';
import { WebhookSender, type WebhookTarget } from './webhook-sender.js';
import type { World } from './world.js';

export interface SecondImplementation extends Driver {
  /** The URL of the API, which ends with `/api/v1`. */
  readonly baseUrl: string;
  /**
   * Tokens with both scopes, with only `billing.read`, with only `billing.write`, and with no scope; and one with both
   * scopes of another account.
   */
  readonly tokens: Readonly<Record<'full' | 'read' | 'write' | 'scopeless' | 'otherAccount', string>>;
  /** Sets the URL to which all later webhooks are sent, and the secret with which they are signed. */
  configureWebhook(target: WebhookTarget): Promise<void>;
  /** Replaces the webhook secret, and returns the new one. */
  rotateWebhookSecret(): Promise<{ secret: string }>;
  /** Resolves once no webhook is left to send or retry. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a second implementation of the specification. It shares no code with the simulator, so that the contract suite
 * is tested against two independent services. It runs in memory on a free port of 127.0.0.1. The options choose what it
 * does where the specification is silent, and may plant a fault: a bug that the contract suite must detect.
 */
export async function startSecondImplementation(options: Options = {}): Promise<SecondImplementation> {
  const { fault } = options;
  const choices = { ...defaults, ...options };
  const tokens = {
    full: `full-${randomBytes(12).toString('hex')}`,
    read: `read-${randomBytes(12).toString('hex')}`,
    write: `write-${randomBytes(12).toString('hex')}`,
    scopeless: `scopeless-${randomBytes(12).toString('hex')}`,
    otherAccount: `other-${randomBytes(12).toString('hex')}`,
  };
  const tokenScopes = new Map<string, Token>([
    [tokens.full, { scopes: ['billing.read', 'billing.write'] }],
    [tokens.read, { scopes: ['billing.read'] }],
    [tokens.write, { scopes: ['billing.write'] }],
    [tokens.scopeless, { scopes: [] }],
    [tokens.otherAccount, { scopes: ['billing.read', 'billing.write'], isOfOtherAccount: true }],
  ]);

  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const origin = `http://127.0.0.1:${address.port}`;

  const createWorld = (emit: World['emit']): World => ({
    choices,
    fault,
    faultDefinition: fault === undefined ? undefined : faults[fault],
    paymentPagesUrl: `${origin}/pay`,
    customers: new Map(),
    invoices: new Map(),
    links: new Map(),
    payments: new Map(),
    deposits: new Map(),
    keyedResponses: new Map(),
    firstValues: new Map(),
    emit,
  });
  const world = createWorld((event, record) => webhooks.send(event, record));
  const webhooks = new WebhookSender(world);
  const otherWorld = createWorld(() => undefined);
  if (choices.seeded) for (const each of [world, otherWorld]) seed(each);

  const rateLimiter = new RateLimiter(choices);
  const requestHandler = new RequestHandler(world, otherWorld, rateLimiter, tokenScopes);
  const actAsOtherClient = choices.hasOtherClients ? createOtherClient(world) : undefined;
  server.on('request', async (request, response) => {
    if (choices.slowMs > 0) await sleep(choices.slowMs);
    writeResponse(world, await requestHandler.respond(request), response);
    if (actAsOtherClient === undefined) return;
    // The request of the other client counts toward the limit of the account, which matters if all tokens share it.
    rateLimiter.countRequest('account');
    actAsOtherClient();
  });

  return {
    baseUrl: `${origin}${basePath}`,
    tokens,
    ...createDriver(world),
    configureWebhook: async (target) => webhooks.configure(target),
    rotateWebhookSecret: async () => ({ secret: webhooks.rotateSecret() }),
    settled: () => webhooks.settled(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await webhooks.close();
    },
  };
}
