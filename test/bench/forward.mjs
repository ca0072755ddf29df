// Baseline for the proxy: node:http alone forwards a request and its response. Usage: node forward.mjs PORT ORIGIN
import { Agent, createServer, request as open } from 'node:http';

const [port, origin] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

createServer((request, response) => {
  const { method, headers, url } = request;
  const forwarded = open(new URL(url, origin), { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  forwarded.once('error', () => response.destroy());
  request.pipe(forwarded);
}).listen(Number(port), '127.0.0.1');
