import autocannon from 'autocannon';
import { pause } from './servers.mjs';

const connections = 10;

/**
 * Sends `target` as fast as it is answered, for `duration` seconds or `amount` times.
 * @returns latencies in milliseconds, `processorTime` of the server for a request in microseconds
 */
export async function load({ processorTime, ...target }, extent) {
  const latencies = [];
  const before = processorTime();
  const cannon = autocannon({ ...target, connections, ...extent });
  cannon.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  const { '2xx': answered, non2xx, errors, timeouts, duration } = await cannon;
  const spent = processorTime() - before;
  if (non2xx + errors + timeouts > 0 || answered === 0) {
    const others = `${non2xx} others, ${errors} errors, ${timeouts} timeouts`;
    throw new Error(`${target.url}: ${answered} answers of 2xx, ${others}`);
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
 * Loads the targets in turn, a second each, round after round, so that what else the machine does befalls all of them.
 * @returns for every target its rounds, and `answered` in all, the warm-up included
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

/** Loads `target` and, amid the load, calls `kill`. @returns how many requests had been answered 2xx */
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

/** Ratio of `one` to `other`: each round is compared with its neighbor in time. `low` to `high` is the middle half. */
export function compare(one, other) {
  const ratios = one.map((value, round) => value / other[round]);
  return { ratio: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
}

function quantile(numbers, part) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place % 1);
}
