import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { components } from '../../src/generated/billing-types.js';
import { clientOf } from '../support/client.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface CrashReport {
  readonly rounds: number;
  /** Deposits whose creation was answered with 201. */
  readonly acknowledged: number;
  /** Acknowledged deposits that are missing. */
  readonly lost: string[];
  /** Deposits that differ from the acknowledged response. */
  readonly changed: string[];
  /** Idempotency keys that created a second deposit when their request was repeated. */
  readonly doubled: string[];
}

/**
 * Starts the simulator on a folder, writes from several clients at once, kills it with SIGKILL meanwhile, and checks the
 * data after the next start; repeats this for a number of rounds.
 */
export async function killNine(options: {
  folder: string;
  rounds: number;
  clients: number;
  /** Called after each kill, before the next start. */
  onCrash?: (folder: string, round: number) => Promise<void>;
}): Promise<CrashReport> {
  const acknowledged = new Map<string, string>();
  const report = { rounds: options.rounds, lost: [] as string[], changed: [] as string[], doubled: [] as string[] };
  rmSync(options.folder, { recursive: true, force: true });
  for (let round = 0; round < options.rounds; round++) {
    const { child, baseUrl } = await start(options.folder);
    await compare(baseUrl, acknowledged, report);
    const clients = Array.from({ length: options.clients }, (_, client) =>
      writeUntilKilled(baseUrl, `R${round}-C${client}`, acknowledged),
    );
    // Kills at a different time in each round: between the first writes and several thousand.
    const before = acknowledged.size;
    while (acknowledged.size <= before + options.clients) await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setTimeout(resolve, 20 + ((round * 37) % 180)));
    // Some rounds end with a clean stop, which writes a checkpoint.
    child.kill(round % 4 === 1 ? 'SIGTERM' : 'SIGKILL');
    await Promise.all([once(child, 'close'), ...clients]);
    await options.onCrash?.(options.folder, round);
  }
  const { child, baseUrl } = await start(options.folder);
  await compare(baseUrl, acknowledged, report);
  child.kill('SIGTERM');
  await once(child, 'close');
  return { ...report, acknowledged: acknowledged.size };
}

async function start(folder: string): Promise<{ child: ChildProcess; baseUrl: string }> {
  const flags = ['start', '--json', '--port', '0', '--rate-limit', 'off', '--seed', 'empty', '--data', folder];
  const child = spawn(process.execPath, [cli, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    return { child, baseUrl: JSON.parse(line).baseUrl };
  }
  throw new Error('the simulator did not start');
}

/** Creates deposits one after the other, and keeps each response, until the server is killed. */
async function writeUntilKilled(baseUrl: string, name: string, acknowledged: Map<string, string>): Promise<void> {
  for (let number = 0; ; number++) {
    const reference = `${name}-${number}`;
    try {
      const answer = await create(baseUrl, reference);
      if (answer.status === 201) acknowledged.set(reference, answer.deposit);
    } catch {
      return;
    }
  }
}

async function create(baseUrl: string, reference: string): Promise<{ status: number; deposit: string }> {
  const { response, data } = await clientOf(baseUrl).POST('/deposits', {
    params: { header: { 'Idempotency-Key': reference } },
    body: { booking_reference: reference, amount: 12.34, metadata: { text: 'é'.repeat(50) } },
  });
  return { status: response.status, deposit: data ? textOf(data.data) : '' };
}

/** Reads all deposits, and repeats some of the acknowledged requests. */
async function compare(
  baseUrl: string,
  acknowledged: ReadonlyMap<string, string>,
  report: Pick<CrashReport, 'lost' | 'changed' | 'doubled'>,
): Promise<void> {
  const found = new Map<string, string[]>();
  for (let page = 1; ; page++) {
    const { data } = await clientOf(baseUrl).GET('/deposits', { params: { query: { per_page: 100, page } } });
    for (const deposit of data?.data.data ?? []) {
      const reference = deposit.booking_reference ?? '';
      found.set(reference, [...(found.get(reference) ?? []), textOf(deposit)]);
    }
    if (page >= (data?.data.last_page ?? 0)) break;
  }
  for (const [reference, deposit] of acknowledged) {
    const [first, second] = found.get(reference) ?? [];
    if (first === undefined) report.lost.push(reference);
    else if (first !== deposit) report.changed.push(reference);
    if (second !== undefined) report.doubled.push(reference);
  }
  for (const reference of [...acknowledged.keys()].slice(-3)) {
    const { deposit } = await create(baseUrl, reference);
    if (deposit !== acknowledged.get(reference)) report.doubled.push(reference);
  }
}

/** Removes the page URL from a deposit: its port is different after each start. */
function textOf({ authorization_url: _, ...deposit }: components['schemas']['Deposit']): string {
  return JSON.stringify(deposit);
}
