import type { EffectName, Fault } from '../../domain/faults.js';
import type { Delivery, EventName, Mail, SkippedFault } from '../../domain/records.js';
import type { Profile } from '../../openapi/profile.js';
import type { Commit, RowsByTable } from './changes.js';

/** The machine's time, which account clocks are based on. */
export interface MachineClock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Calls back once after a delay, unless the returned function is called first. Very long delays may end early, so the
   * caller must check the time.
   */
  setTimer(milliseconds: number, callback: () => void): () => void;
}

/**
 * Stores commits in the order of the calls. If one fails, all pending commits are rejected, and are not loaded after a
 * restart.
 */
export interface Store {
  /** Yields every stored commit, oldest first. Called once, before anything else; changes nothing. */
  load(): AsyncIterable<Commit>;
  /** Starts storing commits. Earlier commits wait for this call; if the store is closed first, they are dropped. */
  begin(): Promise<void>;
  /**
   * Stores a commit. Commits that are written together may get the same promise.
   * @returns promise that settles once the commit is stored; undefined if it already is
   * @throws RangeError if the commit is too large to be written
   */
  append(commit: Commit): Promise<void> | undefined;
  /** Stores rows of an account for a snapshot. @returns reference for `readContents` and `Snapshot.contents` */
  saveContents(account: string, contents: RowsByTable): Promise<string>;
  readContents(reference: string): Promise<RowsByTable>;
  /** Stores the pending commits and releases the files. */
  close(): Promise<void>;
}

/** A webhook message to send. */
export interface WebhookRequest {
  readonly url: string;
  /** Secret for the signature. */
  readonly secret: string;
  readonly event: EventName;
  readonly body: string;
  /** Text that the signature covers; default: the body; null: no signature. */
  readonly signedText?: string | null | undefined;
  /** Headers that replace the generated ones. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Determines the signature (gaps event.digest, event.payment-signature). */
  readonly profile: Profile;
}

/** Result of sending a webhook. */
export interface WebhookOutcome {
  /** Headers that were sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** HTTP status; null without a response, in which case `error` says why. */
  readonly status: number | null;
  readonly error: string | null;
  /** Duration in real time. */
  readonly milliseconds: number;
  /** First 20,000 bytes of the response, as text. */
  readonly responseBody: string;
  /** Unparsed header Retry-After of the response; null if it has none. */
  readonly retryAfter: string | null;
  /** Unparsed header Date of the response; null if it has none. */
  readonly date: string | null;
}

/** Sends a message, with a timeout of 15 s of real time. Never rejects: failures are part of the outcome. */
export type SendWebhook = (request: WebhookRequest, signal: AbortSignal) => Promise<WebhookOutcome>;

/** A webhook message before it is first sent, with the faults to apply to it. */
export interface MessageWithFaults extends Pick<Delivery, 'id' | 'event' | 'body'> {
  readonly faults: readonly Pick<Fault, 'id' | 'effects'>[];
  /** True if a fault has already delayed the message so that another one could overtake it. */
  readonly wasHeldBack: boolean;
  readonly secret: string;
  /** Previous secret; undefined if there was none. */
  readonly retiredSecret: string | undefined;
  /** Returns 64 hex digits, derived from the account's random seed and a label. */
  readonly seededHex: (label: string) => string;
  /** Returns a number from 0 to 1, excluding 1, derived in the same way. */
  readonly seededNumber: (label: string) => number;
  /**
   * Returns an earlier delivered message, in the form in which it was sent; undefined if there is none.
   * @param random number from 0 to 1, excluding 1, that selects the message
   */
  readonly findEarlier: (
    random: number,
  ) => Pick<OutgoingMessage, 'deliveryId' | 'event' | 'body' | 'headers'> | undefined;
}

/** A message to be sent once. */
export interface OutgoingMessage extends Pick<WebhookRequest, 'event' | 'body' | 'secret' | 'signedText' | 'headers'> {
  readonly deliveryId: string;
  /** Names of the applied fault effects. */
  readonly appliedFaults: readonly EffectName[];
  /**
   * Set if a fault drops the message in transit. `as-failed-attempt`: the service gets no response, and retries;
   * `silently`: the service does not know, and does not retry.
   */
  readonly lost?: 'as-failed-attempt' | 'silently';
}

/** The messages that result from applying faults to a message. */
export interface FaultResult {
  /** The messages to send, in order: first the message itself, then those that faults add. */
  readonly messages: readonly [OutgoingMessage, ...OutgoingMessage[]];
  readonly skippedFaults: readonly SkippedFault[];
}

/** Why an SMTP server did not accept an email. */
export interface MailFailure {
  readonly reason: string;
  /** True if the server has permanently rejected the email, which is then not retried. */
  readonly isPermanent: boolean;
}

/** Sends an email to an SMTP server. Never rejects. @returns null after a success */
export type SendMail = (
  mail: Pick<Mail, 'to' | 'subject' | 'text' | 'html' | 'created_at'>,
) => Promise<MailFailure | null>;
