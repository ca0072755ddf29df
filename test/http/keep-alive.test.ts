import { get } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../src/index.js';

test('the server promises to keep an idle connection open for 95 seconds, longer than clients do', async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const keepAlive = await new Promise((resolve, reject) => {
    get(`${simulator.url}/_sim/health`, { headers: { Connection: 'keep-alive' } }, (response) => {
      response.resume();
      resolve(response.headers['keep-alive']);
    }).on('error', reject);
  });
  expect(keepAlive).toBe('timeout=95');
});
