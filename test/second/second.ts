import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Courier, type WebhookTarget } from './courier.js';
import { createDriver, type Driver } from './driver.js';
import { Exchange, prefix, type Token, write } from './exchange.js';
import { faults } from './faults/index.js';
import { defaults, type Options } from './options.js';
import { Rate } from './rate.js';
import { seed, workOfOthers } from './seed.js';
import type { World } from './world.js';

export interface Second extends Driver {
  /** Ends with `/api/v1`. */
  readonly baseUrl: string;
  /** By their scopes: both, `billing.read`, `billing.write`, neither. */
  readonly tokens: { readonly full: string; readonly read: string; readonly write: string; readonly none: string };
  /** The one URL that webhooks go to from now on. */
  configureWebhook(target: WebhookTarget): Promise<void>;
  /** Has webhooks be signed with a new secret from now on, and tells it. */
  rotateWebhookSecret(): Promise<{ secret: string }>;
  /** Resolves once no webhook is left to be sent or retried. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Serves the specification from memory on a free port of 127.0.0.1, with the gaps filled as the options say. */
export async function startSecond(options: Options = {}): Promise<Second> {
  const { fault } = options;
  const choices = { ...defaults, ...options };
  const tokens = {
    full: `full-${randomBytes(12).toString('hex')}`,
    read: `read-${randomBytes(12).toString('hex')}`,
    write: `write-${randomBytes(12).toString('hex')}`,
    none: `none-${randomBytes(12).toString('hex')}`,
  };
  const known = new Map<string, Token>([
    [tokens.full, { scopes: ['billing.read', 'billing.write'] }],
    [tokens.read, { scopes: ['billing.read'] }],
    [tokens.write, { scopes: ['billing.write'] }],
    [tokens.none, { scopes: [] }],
  ]);

  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const origin = `http://127.0.0.1:${address.port}`;

  const world: World = {
    choices,
    fault,
    planted: fault === undefined ? undefined : faults[fault],
    pages: `${origin}/pay`,
    customers: new Map(),
    invoices: new Map(),
    links: new Map(),
    payments: new Map(),
    deposits: new Map(),
    kept: new Map(),
    remembered: new Map(),
    emit: (event, record) => courier.send(event, record),
  };
  const courier = new Courier(world);
  if (choices.seeded) seed(world);

  const rate = new Rate(choices, options);
  const exchange = new Exchange(world, rate, known);
  const others = choices.othersAtWork ? workOfOthers(world) : undefined;
  server.on('request', async (request, response) => {
    if (choices.slowMs > 0) await sleep(choices.slowMs);
    write(world, await exchange.answer(request), response);
    if (others === undefined) return;
    rate.take('account');
    others();
  });

  return {
    baseUrl: `${origin}${prefix}`,
    tokens,
    ...createDriver(world),
    configureWebhook: async (target) => courier.configure(target),
    rotateWebhookSecret: async () => ({ secret: courier.rotate() }),
    settled: () => courier.settled(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await courier.close();
    },
  };
}
