import { Command, Option } from 'commander';
import { type EventName, eventNames } from '../../domain/records.js';
import type { components } from '../../generated/control-types.js';
import { memberOf, tryParseJson } from '../../lib/json.js';
import { formatTime } from '../../text/format.js';
import { createForwarder, type Forwarder } from '../../webhooks/forward.js';
import { isListenerUrl, listenerUrlFor, previousUrl } from '../../webhooks/listener-url.js';
import { isConnectedToLocalPort } from '../../webhooks/post.js';
import type { SendOutcome } from '../../webhooks/send-message.js';
import { isOnThisMachine, portOf } from '../../webhooks/url.js';
import { signatureChoicesOf, verifySignature } from '../../webhooks/verify.js';
import { markRepeatable, readEvents, readHttpUrl, readPort } from '../support/arguments.js';
import { CommandError } from '../support/command-error.js';
import {
  addAccountOptions,
  type Control,
  type ControlFlags,
  connect,
  controlFlagsOf,
  UnreachableError,
} from '../support/control.js';
import { example, notes } from '../support/help-text.js';
import { printable } from '../support/output.js';
import { stopOnSignalOrClosedOutput } from '../support/stop-signal.js';
import { printNotice, printText } from '../support/style.js';
import { type Listener, type Message, openListener, type Reply } from './listener.js';
import { pollSimulator } from './poll.js';

type Settings = components['schemas']['Settings'];

interface ListenFlags extends ControlFlags {
  readonly forwardTo?: URL;
  readonly port: number;
  readonly events?: readonly EventName[];
  readonly printSecret?: true;
}

/**
 * Maximum wait for the response to a forwarded message: as long as the simulator waits for this listener's response.
 */
const responseTimeoutMs = 15_000;

/** Interval between checks that the account still sends its webhooks to this listener. */
const checkIntervalMs = 1_000;

/** Timeout of a check, after which the connection counts as lost. */
const checkTimeoutMs = 5_000;

/** Maximum delay between two attempts to reconnect. */
const maxRetryDelayMs = 5_000;

const eventColumnWidth = Math.max(...eventNames.map((name) => name.length));

export function createCommand(): Command {
  return addAccountOptions(new Command('listen'))
    .description("receive an account's webhooks, verify their signatures, print and forward them")
    .option(
      '--forward-to <url>',
      'forward the webhooks to this URL, unchanged, and return the responses to the simulator',
      readHttpUrl,
    )
    .option('--port <number>', 'port to listen on; 0 picks a free one', readPort, 0)
    .addOption(
      markRepeatable(
        new Option('--events <names>', 'print and forward only these events, separated by commas; may be repeated')
          .choices(eventNames)
          .argParser(readEvents),
      ),
    )
    .option('--print-secret', 'print the webhook secret and exit')
    .addHelpText('after', example('listen', 'listen --forward-to localhost:3000/webhooks', 'listen --print-secret'))
    .addHelpText(
      'after',
      notes(
        'While it runs, the webhook URL of the account points here; the previous one is restored at the end. If the simulator stops, this command waits until it is back. With --json, the first line says where it listens, and each further line is a message; a new first line is printed if the webhook secret changes.',
      ),
    )
    .action((_flags: object, command: Command) => run(controlFlagsOf(command)));
}

async function run(flags: ListenFlags): Promise<void> {
  const stopSignal = stopOnSignalOrClosedOutput();
  const control = await connect(flags);
  const settings = await control.call('get', '/accounts/{account}/settings');
  if (flags.printSecret) {
    const { webhook_secret: webhookSecret } = settings;
    console.log(flags.json ? JSON.stringify({ webhookSecret }) : webhookSecret);
    return;
  }
  const session = new ListenSession(control, flags, settings);
  const listener = await openListener({
    port: flags.port,
    respond: (message) => session.receive(message),
    onFailure: (error) => console.error(error),
  });
  try {
    session.forwarder = flags.forwardTo && createForwarderTo(flags.forwardTo, control, listener);
    await session.listenAt(listener, stopSignal);
  } finally {
    session.forwarder?.close();
    await listener.close();
  }
}

/** @throws CommandError if messages would be forwarded back to this listener */
function createForwarderTo(url: URL, { url: simulatorUrl }: Control, { port }: Listener): Forwarder {
  const simulator = new URL(simulatorUrl);
  const isLocal = isOnThisMachine(simulator);
  const isSimulator =
    portOf(url) === portOf(simulator) && (isLocal ? isOnThisMachine(url) : url.hostname === simulator.hostname);
  const isListener = portOf(url) === port && isOnThisMachine(url);
  if (isSimulator || isListener) {
    throw new CommandError(
      `${url} is ${isListener ? 'this listener itself' : 'the simulator itself'}; give the URL of your own receiver with --forward-to`,
      'usage',
    );
  }
  return createForwarder({
    url,
    timeoutMs: responseTimeoutMs,
    // Other host names may resolve to this machine, too. That is known only once the socket is connected.
    problemOfConnection: (socket) => {
      if (isConnectedToLocalPort(socket, port)) return 'it points back to this listener';
      return isLocal && isConnectedToLocalPort(socket, portOf(simulator)) ? 'it is the simulator itself' : undefined;
    },
  });
}

/** Receives the webhooks of an account while the command runs. */
class ListenSession {
  forwarder: Forwarder | undefined;
  readonly #control: Control;
  readonly #flags: ListenFlags;
  #settings: Settings;
  #printedSecret: string;
  /** URL of the listener, which the first line names; empty until `listenAt` is called. */
  #listenerUrl = '';
  /** Webhook URL that the command sets on the account; empty until it first does. */
  #url = '';
  /** Settles when the account first has `#url`; undefined until `listenAt` is called. */
  #registered: Promise<void> | undefined;
  /** Start time of the simulator when the command last tried to set `#url`. */
  #triedAt: string | undefined;
  /** Start time of the simulator when the account got `#url`. Another one means that the simulator has restarted. */
  #startedAt: string | undefined;

  constructor(control: Control, flags: ListenFlags, settings: Settings) {
    this.#control = control;
    this.#flags = flags;
    this.#settings = settings;
    this.#printedSecret = settings.webhook_secret;
  }

  /** Verifies, forwards and prints a message, unless `--events` excludes it; returns the response to the simulator. */
  async receive(message: Message): Promise<Reply> {
    const event = String(message.headers['x-service-event'] ?? '-');
    const { events } = this.#flags;
    if (events && !events.some((name) => name === event))
      return { status: 200, body: '', retryAfter: null, date: null };
    // A message may arrive before the simulator has confirmed the URL, but its line must follow the first one.
    await this.#registered;
    let verified = this.#isSignatureValid(message);
    if (!verified) {
      // The secret may have been rotated since it was read.
      await this.#readSettings().catch((error: unknown) => {
        if (!(error instanceof UnreachableError)) throw error;
      });
      this.#printChangedSecret();
      verified = this.#isSignatureValid(message);
    }
    const summary = summaryOf(message, event, this.#settings.profile);
    const forwarded = await this.forwarder?.forward(message);
    const error = forwarded ? problemOf(forwarded) : null;
    const status = error === null ? (forwarded?.status ?? 200) : 502;
    const line = { ...summary, verified, status, error };
    if (this.#flags.json) console.log(JSON.stringify({ ...line, body: message.body.toString() }));
    else printText(formatMessageLine(line, forwarded !== undefined));
    return {
      status,
      body: error ?? forwarded?.responseBody ?? '',
      retryAfter: forwarded?.retryAfter ?? null,
      date: forwarded?.date ?? null,
    };
  }

  /**
   * Makes the account send its webhooks to a listener until the signal aborts. Continues after a restart of the
   * simulator.
   * @throws CommandError if somebody else has changed the webhook URL
   */
  async listenAt(listener: Listener, stopSignal: AbortSignal): Promise<void> {
    this.#listenerUrl = listener.url;
    this.#registered = this.#register(listener);
    await this.#registered;
    try {
      printReady(this.#flags, listener, this.#settings);
      await pollSimulator({ intervalMs: checkIntervalMs, maxRetryDelayMs, stopSignal }, async () => {
        await this.#checkRegistration(listener);
        return () => this.#printChangedSecret();
      });
    } finally {
      await this.#restoreWebhookUrl();
    }
  }

  /**
   * Sets the account's webhook URL to the listener's. It contains the previous URL, so that a later listener can
   * restore it if this one is killed.
   */
  async #register({ url }: Listener): Promise<void> {
    this.#triedAt = await this.#readStartTime();
    this.#url = listenerUrlFor(url, this.#settings.webhook_url);
    const { webhook_url: newUrl } = await this.#control.call('patch', '/accounts/{account}/settings', {
      timeoutMs: checkTimeoutMs,
      body: { webhook_url: this.#url },
    });
    // Not before: if the request fails, the next check must register the listener again.
    this.#startedAt = this.#triedAt;
    // If the simulator cannot connect to a listener, it assumes that the listener has stopped, and does not set its URL.
    if (newUrl !== this.#url) {
      throw new CommandError(
        `the simulator at ${this.#control.url} cannot connect to ${url}; run this command where the simulator runs, for example in the same container`,
      );
    }
  }

  /**
   * Checks that the account still sends its webhooks here, and registers the listener again if the simulator has
   * restarted without the listener's URL.
   * @throws CommandError if another listener has taken over, or somebody has changed the webhook URL without a restart
   */
  async #checkRegistration(listener: Listener): Promise<void> {
    await this.#readSettings();
    const { webhook_url: currentUrl } = this.#settings;
    if (currentUrl === this.#url) {
      // The request may have set the URL although its response did not arrive.
      this.#startedAt = this.#triedAt;
      return;
    }
    if (isListenerUrl(currentUrl))
      throw new CommandError(`another billing-sim listen has taken over the webhooks of ${this.#control.account}`);
    if ((await this.#readStartTime()) === this.#startedAt)
      throw new CommandError(`the webhook URL was changed to ${currentUrl ?? 'none'}, so no more webhooks arrive here`);
    await this.#register(listener);
  }

  /** Restores the previous webhook URL, unless somebody has set another one since. */
  async #restoreWebhookUrl(): Promise<void> {
    try {
      const { webhook_url: currentUrl } = await this.#control.call('get', '/accounts/{account}/settings', {
        timeoutMs: checkTimeoutMs,
      });
      if (currentUrl !== this.#url) return;
      const body = { webhook_url: previousUrl(this.#url) };
      await this.#control.call('patch', '/accounts/{account}/settings', { timeoutMs: checkTimeoutMs, body });
    } catch (error) {
      if (error instanceof UnreachableError) {
        printNotice('The simulator does not respond; it restores the webhook URL when it starts.');
      } else if (!(error instanceof CommandError && error.code === 'rejected')) throw error;
      // Rejected: the account was removed, and the error that ended the session says so.
    }
  }

  /** Prints the webhook secret if it is not the one that was printed last. */
  #printChangedSecret(): void {
    const { webhook_secret: secret } = this.#settings;
    if (secret === this.#printedSecret) return;
    this.#printedSecret = secret;
    if (this.#flags.json) console.log(readyLine(this.#flags, this.#listenerUrl, secret));
    else console.log(`Webhook secret: ${secret}`);
  }

  async #readStartTime(): Promise<string | undefined> {
    const { started_at: startedAt } = await this.#control.call('get', '/health', { timeoutMs: checkTimeoutMs });
    return startedAt;
  }

  async #readSettings(): Promise<void> {
    this.#settings = await this.#control.call('get', '/accounts/{account}/settings', { timeoutMs: checkTimeoutMs });
  }

  #isSignatureValid({ headers, body }: Message): boolean {
    const { webhook_secret: secret, profile } = this.#settings;
    return verifySignature({ headers, body, secret, profile: signatureChoicesOf(profile) });
  }
}

/** Returns the reason why a receiver's response cannot be returned to the simulator; null if it can. */
function problemOf({ status, error }: SendOutcome): string | null {
  if (status !== null && status >= 200) return null;
  return error ?? `the receiver responded with status ${status}; it must be from 200 to 999`;
}

interface MessageSummary {
  /** Time of the event on the account's clock; null if the body does not contain it. */
  readonly created_at: string | null;
  readonly event: string;
  /** Id of the event; null if the body does not contain it. */
  readonly id: string | null;
  /** For example `deposit 8`. */
  readonly record: string;
}

/** Reads the fields of a message that are printed. The profile determines where they are in the body. */
function summaryOf({ body }: Message, event: string, profile: Settings['profile']): MessageSummary {
  const payload = tryParseJson(body.toString());
  const choice = profile['event.payload'];
  const readText = (member: 'id' | 'created_at'): string | null => {
    const value = readEventMember(payload, member, choice) ?? null;
    return value === null ? null : String(value);
  };
  const data = readEventMember(payload, 'data', choice);
  return {
    created_at: readText('created_at'),
    event,
    id: readText('id'),
    record: `${event.replace(/\..*/, '')} ${memberOf(data, 'id') ?? '-'}`,
  };
}

/**
 * Reads a member of the body of a message.
 * @param choice for gap event.payload; undefined for the default
 * @returns undefined if the body does not contain the member
 */
function readEventMember(payload: unknown, member: 'id' | 'created_at' | 'data', choice: unknown): unknown {
  // The body is the record, whose id and time are not those of the event.
  if (choice === 'top-level') return member === 'data' ? payload : undefined;
  const names = memberOf(choice, 'members');
  const name = names === undefined ? member : memberOf(names, member);
  return typeof name === 'string' ? memberOf(payload, name) : undefined;
}

function formatMessageLine(
  line: MessageSummary & { readonly verified: boolean; readonly status: number; readonly error: string | null },
  isForwarded: boolean,
): string {
  const { created_at, event, id, record, verified, status, error } = line;
  const outcome = isForwarded ? [`→ ${status}${error === null ? '' : ` (${error})`}`] : [];
  const words = [
    created_at === null ? '-' : formatTime(created_at),
    event.padEnd(eventColumnWidth),
    id ?? '-',
    record,
    `${verified ? '✓' : '✗'} signature`,
    ...outcome,
  ];
  return printable(words.join('  ')).replace(/\n/g, ' ');
}

function printReady(flags: ListenFlags, { url }: Listener, { webhook_secret }: Settings): void {
  if (flags.json) console.log(readyLine(flags, url, webhook_secret));
  else {
    const { forwardTo } = flags;
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

function readyLine({ forwardTo }: ListenFlags, url: string, webhookSecret: string): string {
  return JSON.stringify({ url, forwardTo: forwardTo?.href ?? null, webhookSecret });
}
