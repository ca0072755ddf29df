import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { type EventName, eventNames } from '../../domain/records.js';
import type { components } from '../../generated/control-types.js';
import { memberOf } from '../../lib/member-of.js';
import { tryParseJson } from '../../lib/parse-json.js';
import { createForwarder, type Forwarder } from '../../webhooks/forward.js';
import { leadsTo } from '../../webhooks/post.js';
import { isOnThisMachine, portOf } from '../../webhooks/url.js';
import { signingOf, verifySignature } from '../../webhooks/verify.js';
import { readEvents, readHttpUrl, readPort } from '../support/arguments.js';
import { CommandError } from '../support/command-error.js';
import { addAccountOptions, type Control, type ControlFlags, connect, UnreachableError } from '../support/control.js';
import { isOfListener, type Listener, type Message, openListener, type Reply } from '../support/listener.js';
import { formatTime, printable } from '../support/output.js';
import { untilSignalledOrUnread } from '../support/until-signalled.js';
import { example } from '../support/verb.js';

type Settings = components['schemas']['Settings'];

interface ListenFlags extends ControlFlags {
  readonly forwardTo?: URL;
  readonly port: number;
  readonly events?: readonly EventName[];
}

/** How long the receiver that messages are forwarded to may take: as long as the simulator waits for us. */
const responseTimeoutMs = 15_000;

/** How often to check that messages still arrive here. */
const checkIntervalMs = 1_000;

const widestEvent = Math.max(...eventNames.map((name) => name.length));

export function listenCommand(): Command {
  return addAccountOptions(new Command('listen'))
    .description("receive an account's webhooks, verify their signatures, print and forward them")
    .option('--forward-to <url>', 'your receiver: gets the same bytes, and its response is returned', readHttpUrl)
    .option('--port <number>', 'port to listen on; 0 picks a free one', readPort, 0)
    .option('--events <names>', 'print and forward only these, separated by commas', readEvents)
    .addHelpText('after', example('listen', 'listen --forward-to http://127.0.0.1:3000/webhooks'))
    .addHelpText(
      'after',
      '\nWhile it runs, the webhook URL of the account points here; the previous one is restored at the end.\n' +
        'With --json, the first line says where it listens, and each further line is a message.',
    )
    .action(run);
}

async function run(flags: ListenFlags): Promise<void> {
  const ended = untilSignalledOrUnread();
  const control = await connect(flags);
  const before = await control.call('get', '/accounts/{account}/settings');
  const session = new Session(control, flags, before);
  const listener = await openListener({
    port: flags.port,
    answer: (message) => session.receive(message),
    onFailure: (error) => console.error(error),
  });
  try {
    session.forwarder = flags.forwardTo && forwarderTo(flags.forwardTo, control, listener);
    const { webhook_url: webhookUrl } = await control.call('patch', '/accounts/{account}/settings', {
      body: { webhook_url: listener.url },
    });
    printReady(flags, listener, before);
    await session.stay(webhookUrl, ended);
    // A previous listener could not restore the URL, because its simulator had stopped first.
    const restoredUrl = isOfListener(before.webhook_url) ? null : before.webhook_url;
    await control.call('patch', '/accounts/{account}/settings', { body: { webhook_url: restoredUrl } });
  } finally {
    session.forwarder?.close();
    await listener.close();
  }
}

/** @throws CommandError if messages would be forwarded back to this listener */
function forwarderTo(url: URL, { url: simulatorUrl }: Control, { port }: Listener): Forwarder {
  const simulator = new URL(simulatorUrl);
  const isLocal = isOnThisMachine(simulator);
  const isSimulator =
    portOf(url) === portOf(simulator) && (isLocal ? isOnThisMachine(url) : url.hostname === simulator.hostname);
  const isListener = portOf(url) === port && isOnThisMachine(url);
  if (isSimulator || isListener) {
    throw new CommandError(
      `${url} is ${isListener ? 'this listener itself' : 'the simulator itself'}; give the URL of your own receiver with --forward-to`,
    );
  }
  return createForwarder({
    url,
    timeout: responseTimeoutMs,
    // Other names of this machine are only known once connected.
    refuse: (socket) => {
      if (leadsTo(socket, port)) return 'it points back to this listener';
      return leadsTo(socket, isLocal ? portOf(simulator) : undefined) ? 'it is the simulator itself' : undefined;
    },
  });
}

/** State of a running listener. */
class Session {
  forwarder: Forwarder | undefined;
  readonly #control: Control;
  readonly #flags: ListenFlags;
  #settings: Settings;

  constructor(control: Control, flags: ListenFlags, settings: Settings) {
    this.#control = control;
    this.#flags = flags;
    this.#settings = settings;
  }

  /** Verifies, prints and forwards a message. */
  async receive(message: Message): Promise<Reply> {
    const head = headOf(message);
    const { events } = this.#flags;
    if (events && !events.some((name) => name === head.event)) return { status: 200, answer: '', retryAfter: null };
    let verified = this.#isSigned(message);
    if (!verified) {
      // The secret may have been rotated since.
      await this.#readSettings();
      verified = this.#isSigned(message);
    }
    const forwarded = await this.forwarder?.forward(message);
    const error = forwarded?.error ?? null;
    const status = forwarded ? (forwarded.status ?? 502) : 200;
    const line = { ...head, verified, status, error };
    console.log(
      this.#flags.json
        ? JSON.stringify({ ...line, body: message.body.toString() })
        : describe(line, forwarded !== undefined),
    );
    return { status, answer: error ?? forwarded?.answer ?? '', retryAfter: forwarded?.retryAfter ?? null };
  }

  /** Settles on abort. @throws CommandError once messages no longer arrive here */
  async stay(url: string | null, end: AbortSignal): Promise<void> {
    while (!end.aborted) {
      await sleep(checkIntervalMs, undefined, { signal: end }).catch(() => undefined);
      await this.#readSettings();
      const now = this.#settings.webhook_url;
      if (now !== url) {
        throw new CommandError(`the webhook URL was changed to ${now ?? 'none'}, so no more webhooks arrive here`);
      }
    }
  }

  async #readSettings(): Promise<void> {
    try {
      this.#settings = await this.#control.call('get', '/accounts/{account}/settings');
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      throw new CommandError(
        `lost the connection to the simulator at ${this.#control.url}; start it, then run billing-sim listen again`,
      );
    }
  }

  #isSigned({ headers, body }: Message): boolean {
    const { webhook_secret: secret, profile } = this.#settings;
    return verifySignature({ headers, body, secret, profile: signingOf(profile) });
  }
}

interface Head {
  /** Time on the account's clock. */
  readonly created_at: string;
  readonly event: string;
  readonly id: string;
  /** For example `deposit 8`. */
  readonly record: string;
}

/** Reads the fields of a message that are printed; a dash for a missing one. */
function headOf({ headers, body }: Message): Head {
  const payload = tryParseJson(body.toString());
  const event = String(headers['x-service-event'] ?? '-');
  const data = memberOf(payload, 'data') ?? payload;
  return {
    created_at: String(memberOf(payload, 'created_at') ?? '-'),
    event,
    id: String(memberOf(payload, 'id') ?? '-'),
    record: `${event.replace(/\..*/, '')} ${memberOf(data, 'id') ?? '-'}`,
  };
}

function describe(
  line: Head & { readonly verified: boolean; readonly status: number; readonly error: string | null },
  isPassedOn: boolean,
): string {
  const { created_at, event, id, record, verified, status, error } = line;
  const outcome = isPassedOn ? [`→ ${status}${error === null ? '' : ` (${error})`}`] : [];
  const words = [
    formatTime(created_at),
    event.padEnd(widestEvent),
    id,
    record,
    `${verified ? '✓' : '✗'} signature`,
    ...outcome,
  ];
  return printable(words.join('  ')).replace(/\n/g, ' ');
}

function printReady({ json, forwardTo }: ListenFlags, { url }: Listener, { webhook_secret }: Settings): void {
  if (json) console.log(JSON.stringify({ url, forwardTo: forwardTo?.href ?? null, webhookSecret: webhook_secret }));
  else {
    console.log(
      [
        `Receiving webhooks at ${url}${forwardTo ? `, forwarding to ${forwardTo.href}` : ''}`,
        `Webhook secret: ${webhook_secret}`,
        'Press Ctrl-C to stop and restore the webhook URL.',
        '',
      ].join('\n'),
    );
  }
}
