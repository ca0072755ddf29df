import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSeed } from '../../src/files/seed-file.js';
import { startSimulator } from '../../src/index.js';
import { sampledRuns } from '../support/sample.js';
import { problemsOf } from './answers.js';
import { type Answer, type Client, createClient } from './client.js';
import { operationOf } from './document.js';
import { createPrediction, type Prediction } from './expectations.js';
import type { ApiRequest } from './requests.js';

/** Number of requests that each property sends to each operation. */
export const runs = Number(process.env['BILLING_SIM_FUZZ_RUNS'] ?? sampledRuns(70, 2));

/** A new service in memory, with the demo data and 300 deposits that can be captured. */
export interface Service extends Client {
  readonly prediction: Prediction;
  /** Sends a request. @throws Error if the response does not match the document */
  sendChecked(request: ApiRequest): Promise<Answer>;
  stop(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'billing-sim-fuzz-'));
  const seed = await readSeed('demo');
  const [sample] = seed.deposits.filter(({ status }) => status === 'authorized');
  const capturable = Array.from({ length: 300 }, (_, index) => ({ ...sample, id: 100 + index, amount: 100 }));
  const file = join(folder, 'seed.json');
  await writeFile(file, JSON.stringify({ ...seed, deposits: [...seed.deposits, ...capturable] }));
  const simulator = await startSimulator({
    seed: file,
    now: '2026-04-01T08:00:00Z',
    randomSeed: 'fuzz',
    rateLimit: false,
  });
  await rm(folder, { recursive: true });

  const client = createClient(simulator.baseUrl);
  const prediction = createPrediction(
    client,
    seed.customers.map(({ id }) => id),
  );
  return {
    ...client,
    prediction,
    async sendChecked(request) {
      const answer = await client.send(request);
      prediction.observe(request, answer);
      const problems = problemsOf(operationOf(request.operation), answer);
      if (problems.length > 0) {
        throw new Error(`not as documented: ${problems.join('; ')} in ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      return answer;
    },
    async stop() {
      client.close();
      await simulator.close();
    },
  };
}
