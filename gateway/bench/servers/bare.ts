/**
 * A server without HTTP. It responds to each received chunk with the bytes of an accepted payout. The load generator sends a
 * request as one chunk, and the next request after the response.
 */
import { createServer } from 'node:net';

const BODY = '{"status":"Pending","code":"00","payout_id":"P000000000000","description":"","sign":"0123456789abcdef"}';
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
);

createServer({ noDelay: true }, (socket) => {
  socket.on('data', () => socket.write(ANSWER));
  socket.on('error', () => socket.destroy());
}).listen(Number(process.argv[2]), '127.0.0.1');
