import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { components } from '../../src/generated/billing-types.js';
import { spawnSimulatorWith } from '../support/cli.js';
import { clientOf } from '../support/client.js';

/** Timeout, in milliseconds, of tests whose number of rounds can be chosen. */
export const tortureTimeoutMs = 3_600_000;

export interface CrashReport {
  /** Number of deposits whose creation got a response with 201. */
  readonly acknowledged: number;
  /** Booking references of acknowledged deposits that are missing after a restart. */
  readonly lost: string[];
  /** Booking references of deposits that differ from the acknowledged response. */
  readonly changed: string[];
  /** Idempotency keys with which more than one deposit was created. The key is also the booking reference. */
  readonly duplicated: string[];
}

/**
 * In each round, starts the simulator, compares its deposits with those acknowledged so far, and stops it while several
 * clients create more. Most rounds stop it with SIGKILL.
 */
export async function runKillRounds(options: {
  folder: string;
  rounds: number;
  clientCount: number;
  /** Called after each stop, before the next start. */
  onStopped?: (folder: string, round: number) => Promise<void>;
}): Promise<CrashReport> {
  /** Acknowledged deposits as JSON text, by booking reference. */
  const acknowledged = new Map<string, string>();
  const report: Omit<CrashReport, 'acknowledged'> = { lost: [], changed: [], duplicated: [] };
  rmSync(options.folder, { recursive: true, force: true });
  for (let round = 0; round < options.rounds; round++) {
    const { child, baseUrl } = await start(options.folder);
    await compareDeposits(baseUrl, acknowledged, report);
    const clients = Array.from({ length: options.clientCount }, (_, client) =>
      createUntilStopped(baseUrl, `R${round}-C${client}`, acknowledged),
    );
    // Each round stops the simulator at a different time: 20 to 199 ms after its first writes.
    const acknowledgedBefore = acknowledged.size;
    while (acknowledged.size <= acknowledgedBefore + options.clientCount) await sleep(1);
    await sleep(20 + ((round * 37) % 180));
    // Every fourth round ends with a clean stop, which writes a checkpoint.
    child.kill(round % 4 === 1 ? 'SIGTERM' : 'SIGKILL');
    await Promise.all([once(child, 'close'), ...clients]);
    await options.onStopped?.(options.folder, round);
  }
  const { child, baseUrl } = await start(options.folder);
  await compareDeposits(baseUrl, acknowledged, report);
  child.kill('SIGTERM');
  await once(child, 'close');
  return { ...report, acknowledged: acknowledged.size };
}

/** Starts a simulator on a data folder; resolves when it listens. */
async function start(folder: string): Promise<{ child: ChildProcess; baseUrl: string }> {
  // As a flag, the seed would cause a notice at every later start.
  const env = { BILLING_SIM_SEED: 'empty' };
  const { child, ready } = await spawnSimulatorWith({ env }, '--rate-limit', 'off', '--data', folder);
  return { child, baseUrl: ready.baseUrl };
}

/** Creates deposits one after the other until the server stops, and records the acknowledged ones. */
async function createUntilStopped(
  baseUrl: string,
  referencePrefix: string,
  acknowledged: Map<string, string>,
): Promise<void> {
  for (let number = 0; ; number++) {
    const reference = `${referencePrefix}-${number}`;
    try {
      const { status, deposit } = await createDeposit(baseUrl, reference);
      if (status === 201) acknowledged.set(reference, deposit);
    } catch {
      return;
    }
  }
}

/** Creates a deposit, or repeats the creation if the reference, which is also the Idempotency-Key, was used before. */
async function createDeposit(baseUrl: string, reference: string): Promise<{ status: number; deposit: string }> {
  const { response, data } = await clientOf(baseUrl).POST('/deposits', {
    params: { header: { 'Idempotency-Key': reference } },
    body: { booking_reference: reference, amount: 12.34, metadata: { text: 'é'.repeat(50) } },
  });
  return { status: response.status, deposit: data ? comparableText(data.data) : '' };
}

/** Compares all deposits with the acknowledged ones, and repeats the last three requests, which must create nothing. */
async function compareDeposits(
  baseUrl: string,
  acknowledged: ReadonlyMap<string, string>,
  report: Pick<CrashReport, 'lost' | 'changed' | 'duplicated'>,
): Promise<void> {
  const depositsByReference = new Map<string, string[]>();
  for (let page = 1; ; page++) {
    const { data } = await clientOf(baseUrl).GET('/deposits', { params: { query: { per_page: 100, page } } });
    for (const deposit of data?.data.data ?? []) {
      const reference = deposit.booking_reference ?? '';
      depositsByReference.set(reference, [...(depositsByReference.get(reference) ?? []), comparableText(deposit)]);
    }
    if (page >= (data?.data.last_page ?? 0)) break;
  }
  for (const [reference, deposit] of acknowledged) {
    const [first, second] = depositsByReference.get(reference) ?? [];
    if (first === undefined) report.lost.push(reference);
    else if (first !== deposit) report.changed.push(reference);
    if (second !== undefined) report.duplicated.push(reference);
  }
  for (const reference of [...acknowledged.keys()].slice(-3)) {
    const { deposit } = await createDeposit(baseUrl, reference);
    if (deposit !== acknowledged.get(reference)) report.duplicated.push(reference);
  }
}

/** Returns a deposit as JSON without the URL of its page, since the port is different after each start. */
function comparableText({ authorization_url: _, ...deposit }: components['schemas']['Deposit']): string {
  return JSON.stringify(deposit);
}
