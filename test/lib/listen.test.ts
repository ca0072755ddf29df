import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { closeServer, listen, urlOf } from '../../src/lib/listen.js';

const server = createServer((_request, response) => response.end('hello'));
const secondServer = createServer();

afterEach(() => Promise.all([closeServer(server), closeServer(secondServer)]));

test('a server listens on a free port, and is reachable at its URL', async () => {
  const address = await listen(server, 0, '127.0.0.1');
  const response = await fetch(urlOf(address));
  expect(await response.text()).toBe('hello');
});

test('a server cannot listen on a port that is in use', async () => {
  const { port } = await listen(server, 0, '127.0.0.1');
  await expect(listen(secondServer, port, '127.0.0.1')).rejects.toMatchObject({
    code: 'EADDRINUSE',
    syscall: 'listen',
  });
});

test('an error that occurs after the server has started listening is thrown', async () => {
  await listen(server, 0, '127.0.0.1');
  expect(() => server.emit('error', new Error('too many open files'))).toThrow('too many open files');
});

test('closing a server drops open connections', async () => {
  const { port } = await listen(server, 0, '127.0.0.1');
  const socket = connect(port, '127.0.0.1').resume();
  await Promise.all([once(socket, 'connect'), once(server, 'connection')]);
  const closed = once(socket, 'close');
  await closeServer(server);
  await closed;
  expect(server.listening).toBe(false);
});

describe('the URL of an address', () => {
  test.each([
    ['127.0.0.1', 'IPv4', 'http://127.0.0.1:4010'],
    ['192.168.1.7', 'IPv4', 'http://192.168.1.7:4010'],
    ['0.0.0.0', 'IPv4', 'http://127.0.0.1:4010'],
    ['::', 'IPv6', 'http://127.0.0.1:4010'],
    ['::1', 'IPv6', 'http://[::1]:4010'],
  ])('%s (%s) is %s', (address, family, url) => {
    expect(urlOf({ address, family, port: 4010 })).toBe(url);
  });
});
