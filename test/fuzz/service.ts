import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSeed } from '../../src/files/seed-file.js';
import { startSimulator } from '../../src/index.js';
import { sampledRunsUnlessFull } from '../support/sample.js';
import { type Client, createClient, type ServiceResponse } from './client.js';
import { operationOf } from './document.js';
import { createPredictor, type Predictor } from './predictor.js';
import { type ApiRequest, addedDepositIds } from './requests.js';
import { responseProblems } from './response-problems.js';

/** Number of random requests in most property tests. Each of these tests is about one operation. */
export const requestsPerTest = Number(process.env['BILLING_SIM_FUZZ_RUNS'] ?? sampledRunsUnlessFull(70, { oneIn: 6 }));

/**
 * A simulator in memory, with the demo data and additional authorized deposits, so that the tests do not run out of
 * deposits to capture or release.
 */
export interface Service extends Client {
  /** Predicts the responses to valid requests from those that `sendAndCheck` has received. */
  readonly predictor: Predictor;
  /** Sends a request, and throws an error if the response does not match the document. */
  sendAndCheck(request: ApiRequest): Promise<ServiceResponse>;
  stop(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'billing-sim-fuzz-'));
  const seed = await readSeed('demo');
  const sample = seed.deposits.find(({ status }) => status === 'authorized');
  const { first, last } = addedDepositIds;
  const copies = Array.from({ length: last - first + 1 }, (_, index) => ({
    ...sample,
    id: first + index,
    amount: 100,
  }));
  const seedFile = join(folder, 'seed.json');
  await writeFile(seedFile, JSON.stringify({ ...seed, deposits: [...seed.deposits, ...copies] }));
  const records = await readSeed(seedFile);
  const simulator = await startSimulator({
    seed: seedFile,
    now: '2026-04-01T08:00:00Z',
    randomSeed: 'fuzz',
    rateLimit: false,
  });
  await rm(folder, { recursive: true });

  const client = createClient(simulator.baseUrl);
  const predictor = createPredictor(client, records);
  return {
    ...client,
    predictor,
    async sendAndCheck(request) {
      const response = await client.send(request);
      predictor.observe(request, response);
      const problems = responseProblems(operationOf(request.operation), response);
      if (problems.length > 0) {
        const { status, body } = response;
        throw new Error(
          `the response is not as documented: ${problems.join('; ')} in ${status} ${JSON.stringify(body)}`,
        );
      }
      return response;
    },
    async stop() {
      client.close();
      await simulator.close();
    },
  };
}
