import { expect, onTestFinished, test } from 'vitest';
import { type Listener, openListener } from '../../src/commands/simulator/listener.js';
import { isListenerUrl, isListening, listenerUrlFor, previousUrl } from '../../src/webhooks/listener-url.js';
import { openReceiver } from './receiver.js';

const listenerUrl = 'http://127.0.0.1:40123/billing-sim-listen';

test.each([
  ['none', null],
  ['a receiver', 'http://127.0.0.1:3000/hooks?a=1&b=2#part#other'],
  ['characters that a URL escapes', 'http://bücher.example/%20 <🎿>'],
])('the URL of a listener contains the URL that it replaced: %s', (_description, replacedUrl) => {
  const url = listenerUrlFor(listenerUrl, replacedUrl);
  expect(isListenerUrl(url)).toBe(true);
  expect(previousUrl(url)).toBe(replacedUrl);
  // A second listener restores the URL from before the first one.
  expect(previousUrl(listenerUrlFor('http://127.0.0.1:40124/billing-sim-listen', url))).toBe(replacedUrl);
});

test('the URL of a listener of an earlier version contains the URL that it replaced in its query', () => {
  expect(previousUrl(`${listenerUrl}?previous=http%3A%2F%2F127.0.0.1%3A3000%2Fhooks%3Fa%3D1`)).toBe(
    'http://127.0.0.1:3000/hooks?a=1',
  );
});

test.each([null, 'http://127.0.0.1:3000/', 'http://example.com/billing-sim-listen', 'nowhere'])(
  '%s is not the URL of a listener, so it is its own previous URL',
  (url) => {
    expect(isListenerUrl(url)).toBe(false);
    expect(previousUrl(url)).toBe(url);
  },
);

test('isListening() is true for a listener on a port to which fetch does not connect', async () => {
  const ports = [6665, 6666, 6667, 6668, 6669];
  const respond = async () => ({ status: 200, body: '', retryAfter: null, date: null });
  const openOnFreePort = async ([port = 0, ...others]: readonly number[]): Promise<Listener> =>
    openListener({ port, respond, onFailure: () => undefined }).catch(() => openOnFreePort(others));
  const listener = await openOnFreePort(ports);
  onTestFinished(() => listener.close());
  expect(ports).toContain(listener.port);
  await expect(fetch(listener.url)).rejects.toMatchObject({ cause: { message: 'bad port' } });
  expect(await isListening(listener.url)).toBe(true);
});

test('isListening() is true only for a running listener, not for a closed one or for another server', async () => {
  const reply = async () => ({ status: 200, body: '', retryAfter: null, date: null });
  const open = await openListener({ port: 0, respond: reply, onFailure: () => undefined });
  expect(await isListening(open.url)).toBe(true);
  await open.close();
  expect(await isListening(open.url)).toBe(false);
  const other = await openReceiver();
  expect(await isListening(`${other.url}/billing-sim-listen`)).toBe(false);
});
