import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { visibleText } from '../pages/html-text.js';
import { readPage } from './page.js';

/** Labels that the table says to click, such as `Delay webhooks`. */
function labelsInTable(): string[] {
  const [, table = ''] = /^### Test by hand\n\n([\s\S]*?)\n\n/m.exec(readPage('docs/browser.md')) ?? [];
  const dashboardCells = table.split('\n').map((row) => row.split(' | ')[1] ?? '');
  return dashboardCells.flatMap((cell) => [...cell.matchAll(/_([^_]+)_/g)].map(([, label = '']) => label));
}

test('the dashboard has the labels that docs/browser.md says to click', async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const { id } = await simulator.account.paymentLinks.pay(1, { outcome: 'pending' });
  // Deposit 1 of the demo account is pending, deposit 2 is authorized.
  const pages = ['overview', 'clock', 'faults', 'snapshots', 'deposits'];
  const paths = [...pages, 'deposits/1', 'deposits/2', 'payment-links/1', `payments/${id}`];
  const texts = await Promise.all(
    paths.map(async (path) => visibleText(await (await fetch(`${simulator.url}/dashboard/demo/${path}`)).text())),
  );
  const labels = labelsInTable();
  expect(labels).toContain('Delay webhooks');
  expect(labels.filter((label) => !texts.some((text) => text.includes(label)))).toEqual([]);
});
