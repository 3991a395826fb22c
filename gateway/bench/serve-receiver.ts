/** A merchant's server at its quickest: says OK to every callback and, to a GET, how many different ones it has had. */
import { createServer } from 'node:http';

const seen = new Set<string>();
let requests = 0;

createServer((request, response) => {
  request.resume();
  if (request.method === 'GET') {
    response.end(JSON.stringify({ different: seen.size, requests }));
    return;
  }
  requests += 1;
  seen.add(String(request.headers['webhook-id']));
  response.end('OK');
}).listen(Number(process.argv[2]), '127.0.0.1');
