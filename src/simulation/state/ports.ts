import type { EffectName, Fault } from '../../domain/faults.js';
import type { Delivery, EventName, Mail, SkippedFault } from '../../domain/records.js';
import type { Profile } from '../../openapi/gaps.js';
import type { Commit, RowChanges } from './changes.js';

/** The machine's time. Everything that knows time asks an account's clock, and that asks this. */
export interface MachineClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once, so many milliseconds from now, unless the returned function is called before. */
  wake(milliseconds: number, callback: () => void): () => void;
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
  /** The secret that it is signed with. */
  readonly secret: string;
  readonly event: EventName;
  readonly body: string;
  /** The signed text where that is not the body; null leaves the signature out. */
  readonly signed?: string | null | undefined;
  /** The headers in place of those that the rest would make. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Says how it is signed (gaps event.digest, event.payment-signature). */
  readonly profile: Profile;
}

/** The result of sending a webhook. */
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

/** A message as it goes out once. */
export interface OutgoingMessage extends Pick<WebhookRequest, 'event' | 'body' | 'secret' | 'signed' | 'headers'> {
  /** Id of the delivery that it is of. */
  readonly delivery: string;
  /** The effects of faults on it. */
  readonly appliedFaults: readonly EffectName[];
  /** Set if it is lost on the way: whether the service learns that it was. */
  readonly lost?: 'noticed' | 'unnoticed';
}

/** A message after its faults were applied. */
export interface FaultedMessage {
  /** The message itself, and then what is sent besides, in this order. */
  readonly copies: readonly [OutgoingMessage, ...OutgoingMessage[]];
  readonly skippedFaults: readonly SkippedFault[];
}

/** Hands a mail to an SMTP server. Never rejects. @returns why that failed, or null */
export type SendMail = (mail: Pick<Mail, 'to' | 'subject' | 'text' | 'html' | 'created_at'>) => Promise<string | null>;
