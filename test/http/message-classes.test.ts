import { createServer } from 'node:http';
import express from 'express';
import { expect, test } from 'vitest';
import { createMessageClasses, useMessageClasses } from '../../src/http/message-classes.js';
import { listening } from '../webhooks/receiver.js';

test('requests and responses have the prototypes of the app before the app handles them', async () => {
  const classes = createMessageClasses();
  const app = express();
  useMessageClasses(app, classes);
  const seen: unknown[] = [];
  app.get('/', (request, response) => void response.json({ host: request.hostname, sameApp: request.app === app }));
  const server = createServer(classes, (request, response) => {
    seen.push(Object.getPrototypeOf(request) === app.request, Object.getPrototypeOf(response) === app.response);
    app(request, response);
    seen.push(Object.getPrototypeOf(request) === app.request, Object.getPrototypeOf(response) === app.response);
  });
  const { port } = await listening(server, 'http');
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect(await response.json()).toEqual({ host: '127.0.0.1', sameApp: true });
  expect(seen).toEqual([true, true, true, true]);
});
