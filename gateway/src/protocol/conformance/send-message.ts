/** Sends one complete or broken request to a receiver, by a new connection and without redirects. Reports the response. */
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock } from '../../foundation/clock.ts';
import type { PlayedMessage } from './played-message.ts';

export type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly location: string; readonly body: string }
  | { readonly kind: 'dropped'; readonly reason: string }
  | { readonly kind: 'timed_out' };

/** `cut`: the connection closes in the middle of the body. `hang_up`: it closes before the response. */
export type Manner = 'whole' | 'in_pieces' | 'cut' | 'hang_up';

const LARGEST_REPLY = 64 * 1024;
/**
 * The total pause is long enough for a busy receiver to read the first half of the body alone. It is split into short naps so
 * that a receiver in this process can run in between; otherwise it might read both halves at once.
 */
const NAPS = 10;
const NAP_MS = 20;

export function sendMessage(
  { target, request }: PlayedMessage,
  manner: Manner,
  patienceMs: number,
  clock: Clock,
): Promise<Answer> {
  return new Promise((resolve) => {
    const limit = AbortSignal.timeout(patienceMs);
    const open = target.protocol === 'https:' ? requestHttps : requestHttp;
    const headers = { ...request.headers, 'content-length': String(request.body.length) };
    const { origin } = target;
    const client = open(`${origin}${request.path}`, { method: request.method, headers, agent: false, signal: limit });
    const fail = (error: Error) =>
      resolve(limit.aborted ? { kind: 'timed_out' } : { kind: 'dropped', reason: error.message });
    client.on('error', fail).on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const end = () => {
        const body = Buffer.concat(chunks).toString('utf8');
        resolve({
          kind: 'answered',
          status: response.statusCode ?? 0,
          body,
          location: response.headers.location ?? '',
        });
      };
      response.on('error', fail).on('end', end);
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= LARGEST_REPLY) chunks.push(chunk);
        else client.destroy(new Error('the response is longer than 64 KiB'));
      });
    });
    void write(client, request.body, manner, clock).catch(fail);
  });
}

async function write(client: ClientRequest, body: Buffer, manner: Manner, clock: Clock): Promise<void> {
  if (manner === 'whole') {
    client.end(body);
    return;
  }
  const half = Math.floor(body.length / 2);
  await new Promise<void>((resolve) => client.write(body.subarray(0, half), () => resolve()));
  await nap(clock);
  if (manner === 'cut') {
    client.destroy(new Error('cut'));
    return;
  }
  client.end(body.subarray(half));
  if (manner !== 'hang_up') return;
  await nap(clock);
  client.destroy(new Error('hung up'));
}

async function nap(clock: Clock): Promise<void> {
  for (let index = 0; index < NAPS; index++) await clock.sleep(NAP_MS);
}
