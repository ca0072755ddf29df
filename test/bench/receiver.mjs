// A webhook receiver that responds with 200 immediately, or never if its argument is `hang`. Prints its URL as JSON.
import { createServer } from 'node:http';

const responds = process.argv[2] !== 'hang';
let received = 0;
const server = createServer((request, response) => {
  received += 1;
  request.resume();
  if (responds) request.on('end', () => response.end(request.url === '/count' ? String(received - 1) : 'ok'));
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/` })));
