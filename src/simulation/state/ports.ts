import type { EffectName, Fault } from '../../domain/faults.js';
import type { Profile } from '../../domain/gaps.js';
import type {
  Attempt,
  Customer,
  Delivery,
  Deposit,
  EventName,
  Invoice,
  Mail,
  Payment,
  PaymentLink,
  Replay,
  Token,
  Undone,
} from '../../domain/records.js';
import type { Run, Scenario } from '../../domain/scenario.js';
import type { Seed } from '../../domain/seed.js';
import type { Account } from '../account.js';

/** The machine's time. Everything that knows time asks an account's clock, and that asks this. */
export interface MachineClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once, so many milliseconds from now, unless the returned function is called before. */
  wake(milliseconds: number, callback: () => void): () => void;
}

/** The clock of an account: it runs with the machine's at an offset, or stands still. */
export type ClockState =
  | { readonly mode: 'real'; readonly offset: number }
  | { readonly mode: 'frozen'; readonly at: string };

/** The account's own record. */
export interface AccountRecord {
  readonly id: string;
  readonly currency: string;
  readonly time_zone: string;
  /** Whether requests beyond the limit are refused. The headers are sent either way. */
  readonly rate_limit: boolean;
  readonly clock: ClockState;
  /** The choices that differ from the defaults, as a profile file says them. */
  readonly profile: Readonly<Record<string, unknown>>;
  /** What random ids and tokens are derived from. */
  readonly random_seed: string;
  /** Tokens and webhook secrets follow from the random seed, too, since somebody has chosen it. Left out where nobody has. */
  readonly has_chosen_seed?: true;
  /** How many webhook secrets it was given by rotation; left out where none. */
  readonly rotations?: number;
  /** Where events are told; null for nowhere. */
  readonly webhook_url: string | null;
  readonly webhook_secret: string;
  /** The secret before that one; left out where there was none. Shown nowhere. */
  readonly retired_secret?: string;
  readonly created_at: string;
}

/** Rows by table. A row replaces the one with its id. */
export interface RowChanges {
  readonly account?: readonly AccountRecord[];
  readonly tokens?: readonly Token[];
  readonly customers?: readonly Customer[];
  readonly invoices?: readonly Invoice[];
  readonly payment_links?: readonly PaymentLink[];
  readonly payments?: readonly Payment[];
  readonly deposits?: readonly Deposit[];
  readonly replays?: readonly Replay[];
  readonly deliveries?: readonly Delivery[];
  readonly attempts?: readonly Attempt[];
  readonly mails?: readonly Mail[];
  readonly faults?: readonly Fault[];
  readonly scenarios?: readonly Scenario[];
  readonly runs?: readonly Run[];
  readonly origin?: readonly Origin[];
  readonly snapshots?: readonly Snapshot[];
}

/** What an account began with, and goes back to on reset. */
export interface Origin {
  readonly clock: ClockState;
  readonly seed: Seed;
}

/** A saved snapshot: an account as it was at a moment. */
export interface Snapshot {
  readonly name: string;
  /** On the account's clock. */
  readonly created_at: string;
  /** Where the store keeps its rows (`Store.readContents`); null once the snapshot was removed. */
  readonly contents: string | null;
}

/** Changes to one account that are stored together or not at all. */
export interface Commit {
  readonly account: string;
  readonly changes: RowChanges;
  /** Whether the rows are merged into those of the account, replace all of them, or the account is removed. */
  readonly mode: 'merge' | 'replace' | 'remove';
}

/**
 * Where commits go. Commits are stored in the order of the calls. When one cannot be stored, it and every later one
 * that waits are refused, and none of them is there after the next `load`.
 */
export interface Store {
  /** Every stored commit, oldest first. Called once, before anything else, and changes nothing. */
  load(): AsyncIterable<Commit>;
  /** From now on commits are stored. Those that came before wait for it, and a store that is closed instead drops them. */
  begin(): Promise<void>;
  /** Settles once the commit is stored. */
  append(commit: Commit): Promise<void>;
  /** Keeps the rows of an account for a snapshot. @returns what `readContents` and `Snapshot.contents` know them by */
  saveContents(account: string, contents: RowChanges): Promise<string>;
  readContents(reference: string): Promise<RowChanges>;
  /** Stores what is left to store and releases the files. */
  close(): Promise<void>;
}

/** A webhook message on its way out. */
export interface WebhookRequest {
  readonly url: string;
  /** What it is signed with. */
  readonly secret: string;
  readonly event: EventName;
  readonly body: string;
  /** What is signed where that is not the body; null leaves the signature out. */
  readonly signed?: string | null | undefined;
  /** The headers in place of those that the rest would make. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Says how it is signed (gaps event.digest, event.payment-signature). */
  readonly profile: Profile;
}

/** What became of it. */
export interface WebhookOutcome {
  /** The headers that were sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** HTTP status; null if there was no answer, and then `error` says why in a few words. */
  readonly status: number | null;
  readonly error: string | null;
  /** How long it took in real time. */
  readonly milliseconds: number;
  /** The first 20,000 bytes of the answer, as text. */
  readonly answer: string;
  /** The Retry-After header, as it came. */
  readonly retryAfter: string | null;
}

/** Posts a message, and gives up after 15 s of real time or when told to. Never rejects: what goes wrong is the outcome. */
export type SendWebhook = (request: WebhookRequest, stop: AbortSignal) => Promise<WebhookOutcome>;

/** A webhook message that is about to be sent for the first time, as the faults that take place on it find it. */
export interface MessageWithFaults extends Pick<Delivery, 'id' | 'event' | 'body'> {
  readonly faults: readonly Pick<Fault, 'id' | 'effects'>[];
  /** Whether it has waited for another message to overtake it. */
  readonly hasWaited: boolean;
  readonly secret: string;
  /** The secret before that one; undefined if there was none. */
  readonly retiredSecret: string | undefined;
  /** 64 hex digits, or a number from 0 to 1, that follow from the account's random seed and a label. */
  readonly seededHex: (label: string) => string;
  readonly seededNumber: (label: string) => number;
  /** One of the earlier messages that were delivered, as it was sent. @param chance picks it, from 0 to 1 */
  readonly earlier: (chance: number) => Pick<OutgoingMessage, 'delivery' | 'event' | 'body' | 'headers'> | undefined;
}

/** What goes out of a message once. */
export interface OutgoingMessage extends Pick<WebhookRequest, 'event' | 'body' | 'secret' | 'signed' | 'headers'> {
  /** Id of the delivery that it is of. */
  readonly delivery: string;
  /** What faults have done to it. */
  readonly done: readonly EffectName[];
  /** Set if it is lost on the way: whether the service learns that it was. */
  readonly lost?: 'noticed' | 'unnoticed';
}

/** What becomes of a message by its faults. */
export interface FaultedMessage {
  /** The message itself, and then what is sent besides, in this order. */
  readonly copies: readonly [OutgoingMessage, ...OutgoingMessage[]];
  readonly undone: readonly Undone[];
}

/** Hands a mail to an SMTP server. Never rejects. @returns why that failed, or null */
export type SendMail = (mail: Pick<Mail, 'to' | 'subject' | 'text' | 'html' | 'created_at'>) => Promise<string | null>;

/** How records are told to the world outside. */
export interface Presentation {
  /** A deposit or payment as the API returns it, as JSON text. */
  deposit(account: Account, deposit: Deposit): string;
  payment(account: Account, payment: Payment): string;
  /** The mail that reminds of an invoice. */
  reminder(account: Account, invoice: Invoice): Pick<Mail, 'to' | 'subject' | 'text' | 'html'>;
}

/** What an account needs of the world around it. */
export interface Ports {
  readonly clock: MachineClock;
  /** Says in words why webhooks cannot be sent to a URL; undefined if they can. */
  readonly webhookUrlProblem: (url: string) => string | undefined;
  readonly sendWebhook: SendWebhook;
  /** Lets faults take place on a webhook message. */
  readonly applyMessageFaults: (message: MessageWithFaults) => Promise<FaultedMessage>;
  /** Undefined where there is no SMTP server: mails are kept all the same. */
  readonly sendMail: SendMail | undefined;
  readonly presentation: Presentation;
  /** The scenarios that every account has. */
  readonly scenarios: readonly Scenario[];
}
