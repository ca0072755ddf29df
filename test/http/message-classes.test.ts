import { createServer } from 'node:http';
import express from 'express';
import { expect, test } from 'vitest';
import { createMessageClasses, useMessageClasses } from '../../src/http/message-classes.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';

test('requests and responses have the prototypes of the Express app even before the app handles them', async () => {
  const classes = createMessageClasses();
  const app = express();
  useMessageClasses(app, classes);
  const prototypeChecks: boolean[] = [];
  app.get('/', (request, response) => void response.json({ host: request.hostname, sameApp: request.app === app }));
  const server = createServer(classes, (request, response) => {
    const checkPrototypes = () =>
      prototypeChecks.push(
        Object.getPrototypeOf(request) === app.request,
        Object.getPrototypeOf(response) === app.response,
      );
    checkPrototypes();
    app(request, response);
    checkPrototypes();
  });
  const { port } = await listenUntilTestEnds(server);
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect(await response.json()).toEqual({ host: '127.0.0.1', sameApp: true });
  expect(prototypeChecks).toEqual([true, true, true, true]);
});
