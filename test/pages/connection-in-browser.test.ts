import type { Page, Route } from 'playwright-core';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { openBrowser } from '../support/browser.js';
import { openReceiver } from '../webhooks/receiver.js';
import { openWithLiveUpdates, waitForTwoFrames } from './live-updates.js';

/** The dashboard shows that the simulator cannot be reached, and reloads its data when it can be reached again. */

const disconnectedText = 'Live updates disconnected, reconnecting…';

/** Starts a simulator that is closed when the test ends. Port 0 means any free port. */
async function startTestSimulator(port = 0): Promise<Simulator> {
  const sim = await startSimulator({ port, now: '2026-03-01T09:00:00Z', rateLimit: false });
  onTestFinished(() => sim.close());
  return sim;
}

/** Opens a dashboard page in a browser, and waits until its live updates are connected. */
async function openLivePage(context: TestContext, sim: Simulator, path: string, account = 'demo'): Promise<Page> {
  const browser = await openBrowser(context);
  const page = await browser.newPage();
  await openWithLiveUpdates(page, `${sim.url}/dashboard/${account}/${path}`);
  return page;
}

const portOf = ({ url }: Simulator): number => Number(new URL(url).port);

test('a link or form that is sent to a stopped simulator shows an error, which can be dismissed, and the form keeps its input', async (context) => {
  const sim = await startTestSimulator();
  const page = await openLivePage(context, sim, 'tokens');
  await page.getByLabel('Name').fill('nightly reports');
  await page.getByLabel('billing.write').uncheck();
  await sim.close();
  const problem = page.getByRole('alert');
  await page.getByRole('link', { name: 'Faults' }).click();
  await problem.getByRole('button', { name: 'Dismiss' }).click();
  await problem.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create token' }).click();
  await problem.waitFor();
  expect(await problem.innerText()).toContain('The simulator does not respond, and nothing was sent.');
  expect(await page.getByLabel('Name').inputValue()).toBe('nightly reports');
  expect(await page.getByLabel('billing.write').isChecked()).toBe(false);

  // When the simulator runs again, the form can be sent without changes.
  await startTestSimulator(portOf(sim));
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('rowheader', { name: 'nightly reports' }).waitFor();
  expect(await problem.count()).toBe(0);
});

test('a page says that live updates are disconnected, and is updated once they are connected again', async (context) => {
  const sim = await startTestSimulator();
  const page = await openLivePage(context, sim, 'deposits');
  expect(await page.getByText(disconnectedText).count()).toBe(0);
  await sim.close();
  await page.getByText(disconnectedText).waitFor();
  // The new simulator has the seven demo deposits, and each trigger creates another one.
  const restartedSim = await startTestSimulator(portOf(sim));
  await restartedSim.account.trigger('deposit.created');
  await page.getByText(disconnectedText).waitFor({ state: 'detached' });
  await page.getByText('1–8 of 8 deposits').waitFor();
  await restartedSim.account.trigger('deposit.created');
  await page.getByText('1–9 of 9 deposits').waitFor();
});

test('a page whose account is deleted says so, links to the accounts, and is updated again once the account is recreated', async (context) => {
  const sim = await startTestSimulator();
  const newHotel = { id: 'hotel', seed: 'demo' } as const;
  const account = await sim.createAccount(newHotel);
  const page = await openLivePage(context, sim, 'deposits', 'hotel');
  await account.remove();
  const status = page.getByText('This account no longer exists.');
  await status.waitFor();
  expect(await page.getByText(disconnectedText).count()).toBe(0);

  const newAccount = await sim.createAccount(newHotel);
  await newAccount.trigger('deposit.created');
  await page.getByText('1–8 of 8 deposits').waitFor();
  expect(await status.count()).toBe(0);

  await newAccount.remove();
  await page.getByRole('status').getByRole('link', { name: 'Show all accounts' }).click();
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
  expect(page.url()).toBe(`${sim.url}/dashboard/demo/accounts`);
});

test('a page whose simulator is restarted with a control token says that the user is signed out', async (context) => {
  const sim = await startTestSimulator();
  const page = await openLivePage(context, sim, 'deposits');
  await sim.close();
  const restartedSim = await startSimulator({ port: portOf(sim), controlToken: 'let-me-in' });
  onTestFinished(() => restartedSim.close());
  await page.getByText('You are signed out.').waitFor();
  const [newTab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('status').getByRole('link', { name: 'Sign in' }).click(),
  ]);
  await newTab.getByLabel('Control token').waitFor();
  await newTab.close();
});

test('a hidden page closes its stream, and is updated once it is visible again', async (context) => {
  const sim = await startTestSimulator();
  const page = await openLivePage(context, sim, 'deposits');
  const setHidden = (isHidden: boolean): Promise<unknown> =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
      document.dispatchEvent(new Event('visibilitychange'))`);
  const closed = page.waitForEvent('requestfailed', (request) => request.url().includes('/live?'));
  await setHidden(true);
  await closed;
  await sim.account.trigger('deposit.created');
  await setHidden(false);
  await page.getByText('1–8 of 8 deposits').waitFor();
  await sim.account.trigger('deposit.created');
  await page.getByText('1–9 of 9 deposits').waitFor();
  expect(await page.getByText(disconnectedText).count()).toBe(0);
});

test('live updates continue after a context menu was opened, and after the account is reset', async (context) => {
  const sim = await startTestSimulator();
  const page = await openLivePage(context, sim, 'deposits');
  await page.mouse.move(400, 300);
  await page.mouse.down({ button: 'right' });
  await sim.account.trigger('deposit.created');
  await page.getByText('1–8 of 8 deposits').waitFor();
  await sim.account.reset();
  await page.getByText('1–7 of 7 deposits').waitFor();
  await sim.account.trigger('deposit.created');
  await page.getByText('1–8 of 8 deposits').waitFor();
  await page.mouse.up({ button: 'right' });
});

test('a change that happens while the page is being fetched is not missed', async (context) => {
  const sim = await startTestSimulator();
  const page = await openLivePage(context, sim, 'deposits');
  // The test opens an event stream too, to learn when the simulator has announced the second change.
  await page.evaluate(`new Promise((resolve) => {
    const source = new EventSource('/dashboard/demo/live');
    let count = 0;
    window.secondChange = new Promise((resolveChange) => {
      source.addEventListener('change', () => { count += 1; if (count === 2) { source.close(); resolveChange(); } });
    });
    source.addEventListener('open', resolve);
  })`);
  // The response is rendered before the second change, but delivered after the page has been notified of that change.
  let deliverResponse = (): void => undefined;
  const responseRendered = new Promise<void>((resolve) => {
    const delayResponse = async (route: Route): Promise<void> => {
      const response = await route.fetch();
      resolve();
      await new Promise<void>((resolveDelay) => {
        deliverResponse = resolveDelay;
      });
      await route.fulfill({ response });
    };
    void page.route('**/dashboard/demo/deposits', delayResponse, { times: 1 });
  });
  await sim.account.trigger('deposit.created');
  await responseRendered;
  await sim.account.trigger('deposit.created');
  await page.evaluate('window.secondChange');
  deliverResponse();
  await page.getByText('1–9 of 9 deposits').waitFor();
});

test.for(['mouse', 'keyboard'] as const)(
  'a button that is pressed while the page updates still works (%s)',
  async (device, context) => {
    const sim = await startTestSimulator();
    const { id } = await sim.account.trigger('deposit.created');
    const path = `deposits/${id}`;
    const page = await openLivePage(context, sim, path);
    const button = page.getByRole('button', { name: 'Authorize' });
    if (device === 'mouse') {
      await button.hover();
      await page.mouse.down();
    } else {
      await button.focus();
      await page.keyboard.down('Space');
    }
    // The clock starts at 09:00:00.
    const updated = page.waitForResponse(async (response) => {
      return response.url().endsWith(path) && (await response.text()).includes('10:00:00');
    });
    await sim.account.clock.advance('1h');
    await updated;
    await waitForTwoFrames(page);
    await (device === 'mouse' ? page.mouse.up() : page.keyboard.up('Space'));
    await page.getByText('Done. Status: authorized.').waitFor();
  },
);

/** Opens a receiver that holds its responses back until `respond` is called. */
async function openSlowReceiver() {
  let respond = (): void => undefined;
  const allowed = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const receiver = await openReceiver(async (_request, response) => {
    await allowed;
    response.writeHead(204).end();
  });
  return { url: receiver.url, respond };
}

test('a submitted form that waits for its response is not cancelled by a live update of the page', async (context) => {
  const sim = await startTestSimulator();
  const receiver = await openSlowReceiver();
  await sim.account.trigger('deposit.created');
  await sim.account.webhooks.configure({ url: receiver.url });
  const page = await openLivePage(context, sim, 'webhooks');
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Resend selected' }).click();
  const updated = page.waitForResponse(async (response) => {
    return response.url().endsWith('/webhooks') && (await response.text()).includes('1–2 of 2 deliveries');
  });
  const triggered = sim.account.trigger('deposit.created');
  await updated;
  receiver.respond();
  await page.getByText('1 delivery resent: 1 delivered, 0 failed.').waitFor();
  await triggered;
});

test.for([
  { button: '+1 d', message: 'Clock advanced by 1 d', sectionPath: '/dashboard/demo/status' },
  { button: 'Resend', message: 'Sent: 204.', sectionPath: '/dashboard/demo/webhooks/' },
])(
  'the $button button is locked while its action is in progress, so further clicks do not repeat the action',
  async ({ button, message, sectionPath }, context) => {
    const sim = await startTestSimulator();
    const receiver = await openSlowReceiver();
    await sim.account.trigger('deposit.created');
    const [delivery] = await sim.account.webhooks.all();
    // Within the next day, a deposit expires, which sends a webhook.
    await sim.account.clock.advance('60h');
    await sim.account.webhooks.configure({ url: receiver.url });
    const page = await openLivePage(context, sim, `webhooks/${delivery?.id}`);
    let sentFormCount = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST') sentFormCount += 1;
    });
    // So that an advance waits for the receiver even if the machine is busy.
    await page.evaluate(`for (const input of document.querySelectorAll('input[name=timeout]')) input.value = '1m'`);
    const form = page.locator('form').filter({ has: page.getByRole('button', { name: button, exact: true }) });
    await form.getByRole('button').click();
    // A new fault makes the page fetch the section with the button again.
    const updated = page.waitForResponse((response) => response.url().includes(sectionPath));
    await sim.account.faults.add({ effect: 'hang', match: { operation: 'getDeposit' } });
    await updated;
    await waitForTwoFrames(page);
    expect(await form.getAttribute('aria-busy')).toBe('true');
    await form.getByRole('button').click();
    await form.getByRole('button').press('Enter');
    receiver.respond();
    await page.getByText(message).first().waitFor();
    expect(await form.getAttribute('aria-busy')).toBe(null);
    expect(sentFormCount).toBe(1);
  },
);

test('a form that is sent after the session has ended shows a link to the sign-in', async (context) => {
  const sim = await startSimulator({ now: '2026-03-01T09:00:00Z', controlToken: 'let-me-in' });
  onTestFinished(() => sim.close());
  const signIn = async (page: Page): Promise<void> => {
    await page.getByLabel('Control token').fill('let-me-in');
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const browser = await openBrowser(context);
  const page = await browser.newPage();
  await page.goto(`${sim.url}/dashboard/demo/tokens`);
  await signIn(page);
  await page.getByLabel('Name').fill('nightly reports');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create token' }).click();
  const [newTab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('alert').getByRole('link', { name: 'Sign in' }).click(),
  ]);
  await signIn(newTab);
  await newTab.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
  await newTab.close();
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('rowheader', { name: 'nightly reports' }).waitFor();
});

test('a link to a deleted record leads to an error page', async (context) => {
  const sim = await startTestSimulator();
  const browser = await openBrowser(context);
  const page = await browser.newPage();
  // Without live updates the list keeps the link to the deleted deposit.
  await page.route('**/dashboard/demo/live?*', (route) => route.abort());
  await sim.account.trigger('deposit.created');
  await page.goto(`${sim.url}/dashboard/demo/deposits`);
  const link = page.getByRole('rowheader').getByRole('link').first();
  await sim.account.reset();
  await link.click();
  await page.getByRole('heading', { level: 1, name: 'Deposit not found' }).waitFor();
  await page.getByRole('link', { name: 'Deposits of demo' }).click();
  await page.getByText('1–7 of 7 deposits').waitFor();
});
