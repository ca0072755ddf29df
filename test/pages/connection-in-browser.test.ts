import type { Page, Route } from 'playwright-core';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { openBrowser } from '../support/browser.js';
import { openReceiver } from '../webhooks/receiver.js';

/** The dashboard shows that the simulator cannot be reached, and catches up afterwards. */

const mark = 'Live updates disconnected, reconnecting…';

async function start(port = 0): Promise<Simulator> {
  const sim = await startSimulator({ port, now: '2026-03-01T09:00:00Z', rateLimit: false });
  onTestFinished(() => sim.close());
  return sim;
}

/** A page of the default account on which live updates are connected. */
async function openPage(context: TestContext, sim: Simulator, path: string): Promise<Page> {
  const browser = await openBrowser(context);
  const page = await browser.newPage();
  const address = `${sim.url}/dashboard/demo/${path}`;
  // Once the stream is open, the live parts of the page are fetched.
  const live = page.waitForResponse((response) => {
    return response.url() === address && response.request().headers()['hx-request'] === 'true';
  });
  await page.goto(address);
  await live;
  return page;
}

const portOf = ({ url }: Simulator): number => Number(new URL(url).port);

test('a form that is sent to a stopped simulator shows an error, and keeps its input', async (context) => {
  const sim = await start();
  const page = await openPage(context, sim, 'tokens');
  await page.getByLabel('Name').fill('nightly reports');
  await page.getByLabel('billing.write').uncheck();
  await sim.close();
  await page.getByRole('button', { name: 'Create token' }).click();
  const problem = page.getByRole('alert');
  await problem.waitFor();
  expect(await problem.innerText()).toContain('The simulator does not respond, and nothing was sent.');
  expect(await page.getByLabel('Name').inputValue()).toBe('nightly reports');
  expect(await page.getByLabel('billing.write').isChecked()).toBe(false);

  // Once it runs again, the same form is sent as it is.
  await start(portOf(sim));
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('rowheader', { name: 'nightly reports' }).waitFor();
  expect(await problem.count()).toBe(0);
});

test('the message about a stopped simulator is dismissed by its button', async (context) => {
  const sim = await start();
  const page = await openPage(context, sim, 'tokens');
  await sim.close();
  await page.getByRole('link', { name: 'Faults' }).click();
  const problem = page.getByRole('alert');
  await problem.getByRole('button', { name: 'Dismiss' }).click();
  await problem.waitFor({ state: 'detached' });
});

test('disconnected live updates are indicated, and everything is reloaded once they are back', async (context) => {
  const sim = await start();
  const page = await openPage(context, sim, 'deposits');
  expect(await page.getByText(mark).count()).toBe(0);
  await sim.close();
  await page.getByText(mark).waitFor();
  const again = await start(portOf(sim));
  await again.account.trigger('deposit.created');
  await page.getByText(mark).waitFor({ state: 'detached' });
  await page.getByText('1–8 of 8 deposits').waitFor();
  // And it continues from there.
  await again.account.trigger('deposit.created');
  await page.getByText('1–9 of 9 deposits').waitFor();
});

test('a reset of the account does not count as a disconnection', async (context) => {
  const sim = await start();
  const page = await openPage(context, sim, 'deposits');
  await sim.account.trigger('deposit.created');
  await page.getByText('1–8 of 8 deposits').waitFor();
  await sim.account.reset();
  await page.getByText('1–7 of 7 deposits').waitFor();
  await sim.account.trigger('deposit.created');
  await page.getByText('1–8 of 8 deposits').waitFor();
});

test('a change while the page is being fetched is not missed', async (context) => {
  const sim = await start();
  const page = await openPage(context, sim, 'deposits');
  await page.evaluate(`new Promise((resolve) => {
    const source = new EventSource('/dashboard/demo/live');
    let count = 0;
    window.announced = new Promise((tell) => {
      source.addEventListener('change', () => { count += 1; if (count === 2) { source.close(); tell(); } });
    });
    source.addEventListener('open', resolve);
  })`);
  let release = (): void => undefined;
  const fetched = new Promise<void>((resolve) => {
    const holdBack = async (route: Route): Promise<void> => {
      // Rendered before the second change, delivered after it was announced.
      const response = await route.fetch();
      resolve();
      await new Promise<void>((go) => {
        release = go;
      });
      await route.fulfill({ response });
    };
    void page.route('**/dashboard/demo/deposits', holdBack, { times: 1 });
  });
  await sim.account.trigger('deposit.created');
  await fetched;
  await sim.account.trigger('deposit.created');
  await page.evaluate('window.announced');
  release();
  await page.getByText('1–9 of 9 deposits').waitFor();
});

test.for(['mouse', 'keyboard'] as const)(
  'a button that is pressed while the page updates still works (%s)',
  async (device, context) => {
    const sim = await start();
    const { id } = await sim.account.trigger('deposit.created');
    const path = `deposits/${id}`;
    const page = await openPage(context, sim, path);
    const button = page.getByRole('button', { name: 'Authorize' });
    if (device === 'mouse') {
      await button.hover();
      await page.mouse.down();
    } else {
      await button.focus();
      await page.keyboard.down('Space');
    }
    const updated = page.waitForResponse(async (response) => {
      return response.url().endsWith(path) && (await response.text()).includes('10:00:00');
    });
    await sim.account.clock.advance('1h');
    await updated;
    // Two frames later the new content is in its place.
    await page.evaluate('new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))');
    await (device === 'mouse' ? page.mouse.up() : page.keyboard.up('Space'));
    await page.getByText('Done. Status: authorized.').waitFor();
  },
);

test('a form that waits for its response is not cancelled when the page updates', async (context) => {
  const sim = await start();
  let respond = (): void => undefined;
  const delivered = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const receiver = await openReceiver(async (_request, response) => {
    await delivered;
    response.writeHead(204).end();
  });
  await sim.account.trigger('deposit.created');
  await sim.account.webhooks.configure({ url: receiver.url });
  const page = await openPage(context, sim, 'webhooks');
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Resend selected' }).click();
  const updated = page.waitForResponse(async (response) => {
    return response.url().endsWith('/webhooks') && (await response.text()).includes('1–2 of 2 deliveries');
  });
  const triggered = sim.account.trigger('deposit.created');
  await updated;
  respond();
  await page.getByText('1 delivery resent: 1 delivered, 0 failed.').waitFor();
  await triggered;
});

test('a link to a deleted record leads to an error page', async (context) => {
  const sim = await start();
  const browser = await openBrowser(context);
  const page = await browser.newPage();
  await page.route('**/dashboard/demo/live', (route) => route.abort());
  await sim.account.trigger('deposit.created');
  await page.goto(`${sim.url}/dashboard/demo/deposits`);
  const link = page.getByRole('rowheader').getByRole('link').first();
  await sim.account.reset();
  await link.click();
  await page.getByRole('heading', { level: 1, name: 'Deposit not found' }).waitFor();
  await page.getByRole('link', { name: 'Deposits of demo' }).click();
  await page.getByText('1–7 of 7 deposits').waitFor();
});
