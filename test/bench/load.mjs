import autocannon from 'autocannon';
import { pause } from './servers.mjs';

const connections = 10;

/**
 * Sends the request `target` as fast as possible over 10 connections, for `duration` seconds or `amount` times.
 * @returns latencies in milliseconds, and the server's `processorTime` for each request in microseconds
 */
export async function load({ processorTime, ...target }, limit) {
  const latencies = [];
  const processorTimeBefore = processorTime();
  const cannon = autocannon({ ...target, connections, ...limit });
  cannon.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  const { '2xx': answered, non2xx, errors, timeouts, duration } = await cannon;
  const spent = processorTime() - processorTimeBefore;
  if (non2xx + errors + timeouts > 0 || answered === 0) {
    const others = `${non2xx} others, ${errors} errors, ${timeouts} timeouts`;
    throw new Error(`${target.url}: ${answered} responses with 2xx, ${others}`);
  }
  latencies.sort((a, b) => a - b);
  return {
    answered,
    rate: answered / duration,
    processorTime: spent / answered,
    p99: latencies[Math.floor(latencies.length * 0.99)],
    worst: latencies.at(-1),
  };
}

/**
 * Sends requests to the targets in turn, for a second each, in several rounds, so that other activity of the machine
 * affects all.
 * @returns for each target the results of its rounds, and `answered`, the number of 2xx responses including the warm-up
 */
export async function alternate(targets, rounds) {
  const results = [];
  for (const target of targets) {
    const { answered } = await load(target, { duration: 1 });
    results.push({ rounds: [], answered });
  }
  for (let round = 0; round < rounds; round++) {
    const order = [...targets.keys()];
    if (round % 2 === 1) order.reverse();
    for (const index of order) {
      const result = await load(targets[index], { duration: 1 });
      results[index].rounds.push(result);
      results[index].answered += result.answered;
    }
  }
  return results;
}

/** Sends requests to `target`, and calls `kill` meanwhile. @returns the number of 2xx responses */
export async function loadUntilKilled({ processorTime, ...target }, kill) {
  const cannon = autocannon({ ...target, connections, duration: 10 });
  await pause(1_000);
  await kill();
  // Responses of the dead process may still be in transit.
  await pause(100);
  cannon.stop();
  return (await cannon)['2xx'];
}

export const median = (numbers) => quantile(numbers, 0.5);

/** Compares each round. @returns the median ratio of `one` to `other`; half of the ratios are from `low` to `high` */
export function compare(one, other) {
  const ratios = one.map((value, round) => value / other[round]);
  return { ratio: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
}

function quantile(numbers, fraction) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const position = (sorted.length - 1) * fraction;
  const [below, above] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]];
  return below + (above - below) * (position % 1);
}
