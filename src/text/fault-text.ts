import type { Fault, FaultStage } from '../domain/faults.js';
import { formatTime } from './format.js';

/** Text for what a fault applies to if no matcher names an operation, event, method or path. */
const defaultTargets: Readonly<Record<FaultStage, string>> = {
  request: 'every request',
  response: 'every request',
  message: 'every webhook',
  attempt: 'every webhook attempt',
};

/**
 * Describes what a fault applies to, and its limits: `GET /invoices*, every 3rd, 2 times, until 2026-03-01 10:00:00`.
 */
export function describeFaultScope({
  stage,
  match,
  times,
  until,
}: Pick<Fault, 'stage' | 'match' | 'times' | 'until'>): string {
  const { operation, method, path, status, token, event, body = {}, nth, every, probability } = match;
  const address = [method, path].filter((part) => part !== undefined).join(' ');
  const target = [operation, event, address].filter((part) => part);
  return [
    ...(target.length === 0 ? [defaultTargets[stage]] : target),
    ...(status === undefined ? [] : [`responses with ${status}`]),
    ...(token === undefined ? [] : [`with the token ${token}`]),
    ...Object.entries(body).map(([key, value]) => `with ${key}=${value}`),
    ...(nth === undefined ? [] : [`only the ${ordinal(nth)}`]),
    ...(every === undefined ? [] : [`every ${ordinal(every)}`]),
    ...(probability === undefined ? [] : [`with probability ${probability}`]),
    ...(times === null ? [] : [times === 1 ? 'once' : `${times} times`]),
    ...(until === null ? [] : [`until ${formatTime(until)}`]),
  ].join(', ');
}

/** Describes how often a fault has matched and fired. */
export function describeFaultCounts({
  times_matched,
  times_fired,
}: Pick<Fault, 'times_matched' | 'times_fired'>): string {
  return times_matched === 0 ? 'never matched' : `matched ${times_matched}, fired ${times_fired}`;
}

function ordinal(number: number): string {
  const isTeen = Math.floor(number / 10) % 10 === 1;
  const ending = isTeen ? undefined : { 1: 'st', 2: 'nd', 3: 'rd' }[number % 10];
  return `${number}${ending ?? 'th'}`;
}
