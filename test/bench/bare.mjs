// Baseline: a bare Express server that responds with the JSON in a file, and to new deposits with the request's body.
// With DATA, it first parses that JSON file and keeps the result, as a server does that holds its records in memory.
// Usage: node bare.mjs PORT [FILE [DATA]]
import { readFileSync } from 'node:fs';
import express from 'express';

const [port, file = '', data = ''] = process.argv.slice(2);
const read = (path) => (path === '' ? {} : JSON.parse(readFileSync(path, 'utf8')));
const body = read(file);

express()
  .set('records', read(data))
  .get('/api/v1/invoices', (_request, response) => {
    response.json(body);
  })
  .post('/api/v1/deposits', express.json(), (request, response) => {
    response.status(201).json(request.body);
  })
  .listen(Number(port), '127.0.0.1');
