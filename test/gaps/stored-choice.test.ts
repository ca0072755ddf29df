import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { tempFolder } from '../support/temp-folder.js';

/** Stored data may contain a choice that no longer exists, such as `neither` for the gap `rate.unauthenticated`. */

test('startup fails if the data contains a choice that no longer exists, and the message says where it is and what to choose', async () => {
  const data = tempFolder();
  const originalSimulator = await startSimulator({ data, profile: { 'rate.unauthenticated': 'uncounted' } });
  await originalSimulator.close();
  const file = join(data, 'db.json');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"uncounted"', '"neither"'));
  await expect(startSimulator({ data })).rejects.toThrow(
    `${data}: rate.unauthenticated no longer has the choice \`neither\`, because every response now carries the rate-limit headers; choose \`uncounted\` if requests with refused tokens should not count against the limit. Change it in db.json while the simulator is stopped.`,
  );
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"neither"', '"uncounted"'));
  const repairedSimulator = await startSimulator({ data });
  await repairedSimulator.close();
});
