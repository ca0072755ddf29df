import type { Activity, ActivityDetail, RecordReference } from '../../domain/activity.js';
import { decodePathPart, withoutTrailingSlashes } from '../../lib/path-template.js';
import type { AccountLogs } from '../account.js';
import type { LoggedRequest } from './request-log.js';

/** An entry of the activity log, or a request. */
export type ChainEntry = Activity | { readonly sequence: number; readonly request: LoggedRequest };

/** A cause, such as a request, and its consequences, as far as the logs still have them. */
export interface Chain {
  readonly correlation: string;
  /** The cause, if the logs still have it, then its consequences in order. */
  readonly entries: readonly [ChainEntry, ...ChainEntry[]];
}

/** Chains of an account. The chain that began last comes first. */
export function chainsOf(logs: AccountLogs): Chain[] {
  const chains = new Map<string, [ChainEntry, ...ChainEntry[]]>();
  for (const entry of entriesOf(logs)) {
    const correlation = correlationOf(entry);
    const chain = chains.get(correlation);
    if (!chain) chains.set(correlation, [entry]);
    // A request is logged when its response is sent, which is after its consequences.
    else if (isCause(entry)) chain.unshift(entry);
    else chain.push(entry);
  }
  return [...chains].map(([correlation, entries]) => ({ correlation, entries })).reverse();
}

/** Entries and requests together, oldest first. */
export function entriesOf({ activity, requests }: AccountLogs): ChainEntry[] {
  const logged = requests.newestFirst().map((request): ChainEntry => ({ sequence: request.sequence, request }));
  return [...activity.entries(), ...logged].sort((a, b) => a.sequence - b.sequence);
}

/** Sequence number of the latest entry or request that the logs have dropped; 0 if none has. */
export function droppedUpTo({ activity, requests }: AccountLogs): number {
  return Math.max(activity.droppedUpTo, requests.droppedUpTo);
}

/** Correlation of an entry; for a request, its id. */
export function correlationOf(entry: ChainEntry): string {
  return 'request' in entry ? entry.request.id : entry.correlation;
}

/** True if an entry begins a chain. */
export function isCause(entry: ChainEntry): boolean {
  return 'request' in entry || entry.detail.kind === 'action' || entry.detail.kind === 'due';
}

/** Names of the records that an entry is about, such as `deposit:8`, `delivery:evt_1`, `mail:3` and `run:4`. */
export function recordNamesOf(entry: ChainEntry): string[] {
  if ('request' in entry) return recordNamesOfRequest(entry.request);
  const { detail } = entry;
  const record = recordOf(detail);
  const names = record ? [`${record.resource}:${record.id}`] : [];
  if (detail.kind === 'event') names.push(`delivery:${detail.id}`);
  if (detail.kind === 'attempt') names.push(`delivery:${detail.delivery_id}`);
  if (detail.kind === 'mail') names.push(`mail:${detail.id}`);
  if (detail.kind === 'scenario') names.push(`run:${detail.id}`);
  return names;
}

const resourcesBySection: Readonly<Record<string, RecordReference['resource']>> = {
  customers: 'customer',
  deposits: 'deposit',
  invoices: 'invoice',
  'payment-links': 'payment_link',
  payments: 'payment',
};

/** Name of the record in the path of a request that writes, even if it was refused; none for other requests. */
function recordNamesOfRequest({ method, path, operation }: LoggedRequest): string[] {
  if (operation === null || method === 'GET' || method === 'HEAD') return [];
  const [pathname = ''] = path.split('?', 1);
  // For example `/deposits/8/capture`: the section, the id, and an optional action.
  const pattern = /\/([a-z-]+)\/([^/]+)(?:\/[a-z-]+)?$/;
  const [, section = '', id = ''] = pattern.exec(withoutTrailingSlashes(pathname)) ?? [];
  const resource = resourcesBySection[section];
  return resource === undefined ? [] : [`${resource}:${decodePathPart(id)}`];
}

/** The record in the details of an entry; undefined if they contain none. */
function recordOf(detail: ActivityDetail): RecordReference | undefined {
  return detail.kind === 'created' ||
    detail.kind === 'transition' ||
    detail.kind === 'event' ||
    detail.kind === 'scenario'
    ? detail.subject
    : undefined;
}
