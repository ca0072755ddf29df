import { formatInstant } from '../../domain/dates.js';
import { generatedWebhookSecretPattern } from '../../domain/webhook-signature.js';
import type { components } from '../../generated/control-validated-types.js';
import { version } from '../../generated/version.js';
import { isRecord, parseJson, tryParseJson } from '../../lib/json.js';
import { decodePathPart } from '../../lib/path-template.js';
import type { Account } from '../../simulation/account.js';
import { chainsOf } from '../../simulation/activity/chains.js';
import { generatedTokenPattern, hashToken } from '../../simulation/tokens.js';
import { deliveryView } from './deliveries.js';
import type { ControlRoutes } from './operations.js';
import { maskedValue, recordedMessages, tokensOf } from './request-details.js';
import { chainView, mailView } from './views.js';

type Trace = components['schemas']['Trace'];
type RecordChange = components['schemas']['RecordState'];

export const traceRoutes = {
  getTrace: ({ account }) => traceOf(account),
} satisfies Partial<ControlRoutes>;

/**
 * Collects the recorded history of an account, with secrets masked. A chain is a cause, such as a request, together
 * with everything that it led to. In `requests`, `sent` is what the client sent, and `received` is the response to it.
 */
export function traceOf(account: Account): Trace {
  const requests = account.requests.newestFirst().reverse();
  const parts: Omit<Trace, 'states'> = {
    format: 'billing-sim-trace',
    version: 1,
    written_by: version,
    account: account.id,
    now: formatInstant(account.now()),
    mode: account.clock.state.mode,
    outdated_up_to: account.activity.outdatedUpTo,
    chains: chainsOf(account.logs).reverse().map(chainView),
    requests: requests.map((request) => ({ id: request.id, ...recordedMessages(account, request) })),
    deliveries: account.deliveries.rows.map((delivery) => deliveryView(account, delivery)),
    mails: account.mails.rows.map((mail) => mailView(account, mail)),
  };
  const { webhook_secret, retired_secret } = account.record;
  const tokens = requests.flatMap(tokensOf);
  const secrets = [webhook_secret, retired_secret, ...tokens].flatMap((secret) => secret || []);
  // Cloned, since the views share objects with the account, and masking changes them in place.
  const trace = structuredClone({ ...parts, states: recordChangesOf(parts, account.activity.replacements) });
  // Longest first: masking a secret that is a part of a longer one would leave the rest of the longer one readable.
  const encodings = [...new Set(secrets.flatMap(encodingsOf))].sort((a, b) => b.length - a.length);
  const maskGenerated = generatedSecretsMask(account);
  const mask = (text: string): string =>
    maskGenerated(encodings.reduce((masked, encoding) => masked.replaceAll(encoding, '****'), text));
  maskStrings(trace, (text) => {
    const masked = mask(text);
    const decoded = decodeEscapes(text);
    if (decoded === text) return masked;
    // Decoded before it is masked: a short secret may be a part of a longer one, whose other part is encoded.
    const maskedDecoded = mask(decoded);
    // A text that contains no encoded secret is shown as it was sent.
    return maskedDecoded === decodeEscapes(masked) ? masked : maskedDecoded;
  });
  return trace;
}

/**
 * Decodes percent-encoded characters, and characters that JSON need not escape: encoders differ in which characters they
 * encode.
 */
function decodeEscapes(text: string): string {
  return text
    .replace(/%[0-7][0-9a-f]|(?:%[89a-f][0-9a-f])+/gi, decodePathPart)
    .replaceAll('\\/', '/')
    .replace(/(?:\\u[0-9a-f]{4})+/gi, (escapes) => inJson(String(parseJson(`"${escapes}"`))));
}

/** Text as JSON encodes it in a string, without the quotes. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * Returns a function that masks generated secrets whose text is not stored: webhook secrets that were replaced more than
 * once, and tokens that no logged request used (only their hashes are stored).
 */
function generatedSecretsMask({ id, tokens }: Account): (text: string) => string {
  const hashes = new Set(tokens.rows.map(({ hash }) => hash));
  const tokenPattern = generatedTokenPattern(id);
  return (text) =>
    text
      .replace(generatedWebhookSecretPattern, '****')
      .replace(tokenPattern, (candidate) => (hashes.has(hashToken(candidate)) ? '****' : candidate));
}

/** A secret as it appears in plain text, in JSON, and in forms, which encode spaces as plus signs. */
function encodingsOf(secret: string): string[] {
  // A secret may itself contain text such as `%41`, which is decoded before it is masked.
  return [secret, inJson(secret), secret.replaceAll(' ', '+')].flatMap((text) => [text, decodeEscapes(text)]);
}

/**
 * Fields whose values are ids, times and keywords of the simulator. They contain no secrets. Masking them would make the
 * trace invalid, and if a secret happened to equal a keyword, `****` in its place would give the secret away.
 */
const simulatorFields: ReadonlySet<string> = new Set([
  ...['format', 'written_by', 'account', 'now', 'mode'],
  ...['id', 'correlation_id', 'caused_by', 'delivery_id'],
  ...['at', 'created_at', 'next_attempt_at'],
  ...['kind', 'by', 'operation', 'item', 'resource', 'event', 'status'],
  ...['effect', 'faults', 'applied_faults', 'code', 'rules'],
]);

/** Masks the strings in an object that clients, receivers or users may have chosen. */
function maskStrings(part: object, mask: (text: string) => string): void {
  for (const [name, value] of Object.entries(part)) {
    if (simulatorFields.has(name)) continue;
    // In metadata and in the rejected value of a field (`sent` beside `field`), clients also choose the keys.
    const hasClientKeys = name === 'metadata' || (name === 'sent' && 'field' in part);
    if (typeof value === 'string' || hasClientKeys) Reflect.set(part, name, maskedValue(value, mask));
    else if (typeof value === 'object' && value !== null) maskStrings(value, mask);
  }
}

/**
 * Lists, for each change to a record, the record before and after it. `after` is from the event or the response that
 * contained the record; null if none did. `before` is the previous `after`; null for a creation, or if there is none.
 * @param replacements for each reset or restore, the sequence number of the last entry before it
 */
function recordChangesOf(
  { chains, requests, deliveries, outdated_up_to: outdatedUpTo }: Omit<Trace, 'states'>,
  replacements: readonly number[],
): RecordChange[] {
  const latestByRecord = new Map<string, RecordChange['after']>();
  const recordChanges: RecordChange[] = [];
  // A delivery has the id of its event, and the correlation id of a chain is the id of its request.
  const bodyByEventId = new Map(deliveries.map(({ id, body }) => [id, body]));
  const responseByRequestId = new Map(requests.map(({ id, received }) => [id, received?.body?.text]));
  const changes = chains.flatMap(({ correlation_id, entries }) =>
    entries.flatMap((entry, index) => {
      if (entry.kind !== 'created' && entry.kind !== 'transition') return [];
      const { subject, sequence } = entry;
      const isSameRecord = (candidate: { readonly resource: string; readonly id: number | string }): boolean =>
        candidate.resource === subject.resource && candidate.id === subject.id;
      const laterEntries = entries.slice(index + 1);
      const nextChangeIndex = laterEntries.findIndex(
        (other) => other.kind === 'transition' && isSameRecord(other.subject),
      );
      const entriesBeforeNextChange = nextChangeIndex === -1 ? laterEntries : laterEntries.slice(0, nextChangeIndex);
      const event = entriesBeforeNextChange.find((other) => other.kind === 'event' && isSameRecord(other.subject));
      // A reset discards deliveries, and later ones can have the same ids, since counting starts again.
      const hasDelivery = event?.kind === 'event' && sequence > outdatedUpTo;
      const recordInEvent = hasDelivery ? recordIn(bodyByEventId.get(event.id), subject.id) : null;
      // The response shows the record as it is after its last change in the chain, and no earlier state.
      const after =
        recordInEvent ??
        (nextChangeIndex === -1 ? recordIn(responseByRequestId.get(correlation_id), subject.id) : null);
      return [{ sequence, kind: entry.kind, key: `${subject.resource} ${subject.id}`, after }];
    }),
  );
  let replacementIndex = 0;
  for (const { sequence, kind, key, after } of changes.sort((a, b) => a.sequence - b.sequence)) {
    // After a reset or restore, another record may have the same id.
    while (sequence > (replacements[replacementIndex] ?? Infinity)) {
      latestByRecord.clear();
      replacementIndex += 1;
    }
    recordChanges.push({ sequence, before: kind === 'created' ? null : (latestByRecord.get(key) ?? null), after });
    latestByRecord.set(key, after);
  }
  return recordChanges;
}

/**
 * Finds the record with this id: the body itself, or one of its members. Which member of an event contains the record
 * depends on the profile (gap event.payload).
 */
function recordIn(body: string | null | undefined, id: number | string): { [field: string]: unknown } | null {
  const content = typeof body === 'string' ? tryParseJson(body) : undefined;
  if (!isRecord(content)) return null;
  return [content, ...Object.values(content)].filter(isRecord).find((record) => record['id'] === id) ?? null;
}
