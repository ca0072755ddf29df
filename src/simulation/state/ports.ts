import type { EffectName, Fault } from '../../domain/faults.js';
import type { Delivery, EventName, Mail, SkippedFault } from '../../domain/records.js';
import type { Profile } from '../../openapi/gaps.js';
import type { Commit, RowChanges } from './changes.js';

/** The machine's time, which account clocks are based on. */
export interface MachineClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after a delay, unless the returned function is called before. */
  setTimer(milliseconds: number, callback: () => void): () => void;
}

/**
 * Stores commits in the order of the calls. If one fails, all waiting ones are rejected, and none of them exists after
 * the next `load`.
 */
export interface Store {
  /** Yields every stored commit, oldest first. Called once, before anything else; changes nothing. */
  load(): AsyncIterable<Commit>;
  /** Starts storing commits. Earlier ones wait for it; closing the store drops them. */
  begin(): Promise<void>;
  /**
   * Settles once the commit is stored; undefined if it already is. Commits that are written together may share one
   * promise.
   */
  append(commit: Commit): Promise<void> | undefined;
  /** Stores rows of an account for a snapshot. @returns reference for `readContents` and `Snapshot.contents` */
  saveContents(account: string, contents: RowChanges): Promise<string>;
  readContents(reference: string): Promise<RowChanges>;
  /** Stores what is pending and releases the files. */
  close(): Promise<void>;
}

/** A webhook message to send. */
export interface WebhookRequest {
  readonly url: string;
  /** Secret for the signature. */
  readonly secret: string;
  readonly event: EventName;
  readonly body: string;
  /** Signed text if it is not the body; null for no signature. */
  readonly signed?: string | null | undefined;
  /** Headers that replace the generated ones. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Determines the signature (gaps event.digest, event.payment-signature). */
  readonly profile: Profile;
}

/** Result of sending a webhook. */
export interface WebhookOutcome {
  /** Headers that were sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** HTTP status; null without a response, then `error` says why. */
  readonly status: number | null;
  readonly error: string | null;
  /** Duration in real time. */
  readonly milliseconds: number;
  /** First 20,000 bytes of the response, as text. */
  readonly answer: string;
  /** Raw Retry-After header. */
  readonly retryAfter: string | null;
}

/** Sends a message, with a timeout of 15 s of real time. Never rejects: failures are part of the outcome. */
export type SendWebhook = (request: WebhookRequest, stop: AbortSignal) => Promise<WebhookOutcome>;

/** A webhook message before it is first sent, for the faults that apply to it. */
export interface MessageWithFaults extends Pick<Delivery, 'id' | 'event' | 'body'> {
  readonly faults: readonly Pick<Fault, 'id' | 'effects'>[];
  /** Whether it has waited for another message to overtake it. */
  readonly hasWaited: boolean;
  readonly secret: string;
  /** Previous secret; undefined if there was none. */
  readonly retiredSecret: string | undefined;
  /** Returns 64 hex digits, derived from the account's random seed and a label. */
  readonly seededHex: (label: string) => string;
  /** Returns a number from 0 to 1, derived in the same way. */
  readonly seededNumber: (label: string) => number;
  /** Returns an earlier delivered message, as it was sent. @param chance number from 0 to 1 that selects the message */
  readonly earlier: (chance: number) => Pick<OutgoingMessage, 'delivery' | 'event' | 'body' | 'headers'> | undefined;
}

/** A message to be sent once. */
export interface OutgoingMessage extends Pick<WebhookRequest, 'event' | 'body' | 'secret' | 'signed' | 'headers'> {
  /** Id of its delivery. */
  readonly delivery: string;
  /** Names of the applied fault effects. */
  readonly appliedFaults: readonly EffectName[];
  /** Set if the message is lost on the way: says whether the service notices the loss. */
  readonly lost?: 'noticed' | 'unnoticed';
}

/** A message after its faults were applied. */
export interface FaultedMessage {
  /** The message itself, then additional ones, in order. */
  readonly copies: readonly [OutgoingMessage, ...OutgoingMessage[]];
  readonly skippedFaults: readonly SkippedFault[];
}

/** Sends a mail to an SMTP server. Never rejects. @returns reason of a failure, or null */
export type SendMail = (mail: Pick<Mail, 'to' | 'subject' | 'text' | 'html' | 'created_at'>) => Promise<string | null>;
