import type { components } from '../generated/control-types.js';
import { columns, time } from './words.js';

type Fault = components['schemas']['Fault'];
type Stage = components['schemas']['FaultStage'];
export type DescribedEffect = components['schemas']['DescribedEffect'];

/** What a fault is on where it says no more. */
const everything: Readonly<Record<Stage, string>> = {
  call: 'every request',
  answer: 'every request',
  message: 'every webhook',
  attempt: 'every attempt to send a webhook',
};

/** What a fault is on, how often and until when: `GET /invoices*, every 3rd, twice, until 2026-03-01 10:00:00`. */
export function scopeOf({ stage, match, times, until }: Fault): string {
  const { operation, method, path, status, token, event, body = {}, nth, every, probability } = match;
  const address = [method, path].filter((part) => part !== undefined).join(' ');
  const target = [operation, event, address].filter((part) => part);
  return [
    ...(target.length === 0 ? [everything[stage]] : target),
    ...(status === undefined ? [] : [`answered with ${status}`]),
    ...(token === undefined ? [] : [`with the token ${token}`]),
    ...Object.entries(body).map(([key, value]) => `with ${key}=${value}`),
    ...(nth === undefined ? [] : [`the ${ordinal(nth)} alone`]),
    ...(every === undefined ? [] : [`every ${ordinal(every)}`]),
    ...(probability === undefined ? [] : [`with probability ${probability}`]),
    ...(times === null ? [] : [times === 1 ? 'once' : `${times} times`]),
    ...(until === null ? [] : [`until ${time(until)}`]),
  ].join(', ');
}

/** How often a fault has taken place. */
export function countsOf({ seen, hits }: Pick<Fault, 'seen' | 'hits'>): string {
  return seen === 0 ? 'never matched' : `hit ${hits} of ${seen}`;
}

function ordinal(number: number): string {
  const isTeen = Math.floor(number / 10) % 10 === 1;
  const ending = isTeen ? undefined : { 1: 'st', 2: 'nd', 3: 'rd' }[number % 10];
  return `${number}${ending ?? 'th'}`;
}

const headings: Readonly<Record<Stage, string>> = {
  call: 'In place of carrying a request out:',
  answer: 'On the answer to a request, which has been carried out:',
  message: 'On a webhook, before it is sent for the first time:',
  attempt: 'On every attempt to send a webhook:',
};

/** The effects as people read them, by when they take place. */
export function effectsInWords(effects: readonly DescribedEffect[]): string {
  const blocks = Object.entries(headings).flatMap(([stage, heading]) => {
    const rows = effects.filter((effect) => effect.stage === stage).flatMap(rowsOf);
    return rows.length === 0 ? [] : ([[heading, rows]] as const);
  });
  // One table for all, so that the columns of every block are the same.
  const lines = columns(blocks.flatMap(([, rows]) => rows)).split('\n');
  return blocks.map(([heading, rows]) => [heading, ...lines.splice(0, rows.length)].join('\n')).join('\n\n');
}

function rowsOf({ name, summary, example, options }: DescribedEffect): string[][] {
  const known = Object.keys(options);
  const more = [
    ...(example === name ? [] : [`such as ${example}`]),
    ...(known.length === 0 ? [] : [`options: ${known.join(', ')}`]),
  ];
  return [[`  ${name}`, summary], ...(more.length === 0 ? [] : [['', more.join('; ')]])];
}
