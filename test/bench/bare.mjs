// Baseline: a bare Express server that responds with the JSON in a file, and to new deposits with the request's body.
// Usage: node bare.mjs PORT [FILE]
import { readFileSync } from 'node:fs';
import express from 'express';

const [port, file] = process.argv.slice(2);
const body = file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'));

express()
  .get('/api/v1/invoices', (_request, response) => {
    response.json(body);
  })
  .post('/api/v1/deposits', express.json(), (request, response) => {
    response.status(201).json(request.body);
  })
  .listen(Number(port), '127.0.0.1');
