// A webhook receiver: answers 200 at once, or, called with `hang`, never. Prints its URL as one line of JSON when ready.
import { createServer } from 'node:http';

const answers = process.argv[2] !== 'hang';
let received = 0;
const server = createServer((request, response) => {
  received += 1;
  request.resume();
  if (answers) request.on('end', () => response.end(request.url === '/count' ? String(received - 1) : 'ok'));
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/` })));
