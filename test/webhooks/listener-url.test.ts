import { expect, test } from 'vitest';
import { openListener } from '../../src/commands/support/listener.js';
import { isListenerUrl, isListening, listenerUrlFor, previousUrl } from '../../src/webhooks/listener-url.js';
import { openReceiver } from './receiver.js';

const listener = 'http://127.0.0.1:40123/billing-sim-listen';

test.each([
  ['none', null],
  ['a receiver', 'http://127.0.0.1:3000/hooks?a=1&b=2'],
])('the URL of a listener contains the one that it replaced: %s', (_what, before) => {
  const url = listenerUrlFor(listener, before);
  expect(isListenerUrl(url)).toBe(true);
  expect(previousUrl(url)).toBe(before);
  // A second listener restores the URL from before the first one.
  expect(previousUrl(listenerUrlFor('http://127.0.0.1:40124/billing-sim-listen', url))).toBe(before);
});

test.each([null, 'http://127.0.0.1:3000/', 'http://example.com/billing-sim-listen', 'nowhere'])(
  '%s is not a listener, and is restored as it is',
  (url) => {
    expect(isListenerUrl(url)).toBe(false);
    expect(previousUrl(url)).toBe(url);
  },
);

test('a listener is distinguished from one that has ended, and from another server', async () => {
  const reply = async () => ({ status: 200, answer: '', retryAfter: null });
  const open = await openListener({ port: 0, answer: reply, onFailure: () => undefined });
  expect(await isListening(open.url)).toBe(true);
  await open.close();
  expect(await isListening(open.url)).toBe(false);
  const other = await openReceiver();
  expect(await isListening(`${other.url}/billing-sim-listen`)).toBe(false);
});
