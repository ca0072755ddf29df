import { get } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../src/index.js';

test('an idle connection is kept open for longer than clients keep one', async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const header = await new Promise((resolve, reject) => {
    get(`${simulator.url}/_sim/health`, { headers: { Connection: 'keep-alive' } }, (response) => {
      response.resume();
      resolve(response.headers['keep-alive']);
    }).on('error', reject);
  });
  expect(header).toBe('timeout=95');
});
