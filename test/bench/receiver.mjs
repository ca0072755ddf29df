// A webhook receiver that responds with 200 immediately, or never if its argument is `hang`. Prints its URL as JSON.
import { createServer } from 'node:http';

const responds = process.argv[2] !== 'hang';
const server = createServer((request, response) => {
  request.resume();
  if (responds) request.on('end', () => response.end('ok'));
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/` })));
