/** A fast merchant server. It returns OK to every callback. A GET returns the first arrival time of each distinct callback. */
import { createServer } from 'node:http';
import { monotonicMs } from '../load/monotonic-clock.ts';

/** The arrivals by `webhook-id`. */
const arrivals = new Map<string, number>();
let requests = 0;

createServer((request, response) => {
  request.resume();
  if (request.method === 'GET') {
    response.end(JSON.stringify({ requests, arrivals: [...arrivals] }));
    return;
  }
  requests += 1;
  const id = String(request.headers['webhook-id']);
  if (!arrivals.has(id)) arrivals.set(id, monotonicMs());
  response.end('OK');
}).listen(Number(process.argv[2]), '127.0.0.1');
